// Quiet sounds, made here: nothing is heard before somebody has touched the page, nor while sounds are switched off.

const SCALE = [523.25, 587.33, 659.25, 783.99, 880]; // five notes that go with each other in any order
const VOLUME = 0.11;
const button = document.getElementById("sound");
const isOn = () => document.body.dataset.sound === "on";
let audio, out;

function open() {
  audio = new AudioContext();
  out = audio.createGain();
  out.gain.value = VOLUME;
  const soften = audio.createBiquadFilter();
  soften.type = "lowpass";
  soften.frequency.value = 4200;
  out.connect(soften).connect(audio.destination);
}

// One note: it swells within a few milliseconds and dies away; `bend` is what its pitch ends at.
function note(pitch, { at = 0, length = 0.5, loud = 1, wave = "sine", bend = pitch } = {}) {
  const [start, source, volume] = [audio.currentTime + at, audio.createOscillator(), audio.createGain()];
  source.type = wave;
  source.frequency.setValueAtTime(pitch, start);
  source.frequency.exponentialRampToValueAtTime(bend, start + length);
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(loud, start + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  source.connect(volume).connect(out);
  source.start(start);
  source.stop(start + length);
}

// A burst far away: noise through a filter that closes.
function crackle({ at = 0, length = 1.2, loud = 0.5 } = {}) {
  const start = audio.currentTime + at;
  const buffer = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let place = 0; place < samples.length; place++) {
    const spark = Math.random() < 0.004 ? 1 : 0.12;
    samples[place] = (2 * Math.random() - 1) * spark * (1 - place / samples.length) ** 2;
  }
  const [source, filter, volume] = [audio.createBufferSource(), audio.createBiquadFilter(), audio.createGain()];
  source.buffer = buffer;
  filter.type = "lowpass";
  filter.frequency.setValueAtTime(3800, start);
  filter.frequency.exponentialRampToValueAtTime(500, start + length);
  volume.gain.value = loud;
  source.connect(filter).connect(volume).connect(out);
  source.start(start);
}

const SOUNDS = {
  play: (height) => note(SCALE[height - 1], { wave: "triangle", loud: 0.6 }),
  turn: () => [0, 2].forEach((step, place) => note(SCALE[step] / 2, { at: 0.15 * place, length: 0.6 })),
  told: () => [4, 4].forEach((step, place) => note(SCALE[step] * 2, { at: 0.1 * place, length: 0.3, loud: 0.35 })),
  mistake: () => note(196, { length: 0.55, wave: "triangle", bend: 98 }),
  five: () => {
    SCALE.forEach((pitch, place) => note(pitch, { at: 0.07 * place, length: 0.9, loud: 0.5 }));
    crackle({ at: 0.3 });
  },
  end: () => {
    [0, 2, 3, 4].forEach((step, place) => note(SCALE[step] / 2, { at: 0.12 * place, length: 2.2, loud: 0.5 }));
    [0.4, 1, 1.9].forEach((at) => crackle({ at, length: 1.6, loud: 0.35 }));
  },
};

function sound(name, at = 0, value = undefined) {
  if (!isOn() || !navigator.userActivation?.hasBeenActive) return;
  if (!audio) open();
  if (audio.state === "suspended") audio.resume();
  setTimeout(() => SOUNDS[name](value), at);
}

document.addEventListener("news", ({ detail }) => {
  if (detail.ended) return sound("end");
  const five = detail.grown.some(({ firework }) => "complete" in firework.dataset);
  if (five) sound("five");
  else if (detail.grown.length) sound("play", 0, detail.grown[0].height);
  if (detail.mistake) sound("mistake");
  const happened = detail.mistake || detail.grown.length > 0;
  if (detail.told) sound("told", happened ? 450 : 0);
  if (detail.turn) {
    sound("turn", happened || detail.told ? 800 : 0);
    if (isOn() && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(60);
  }
});

// The button: one tap, remembered for next time.

button.addEventListener("click", () => {
  const wish = isOn() ? "off" : "on";
  document.body.dataset.sound = wish;
  button.setAttribute("aria-pressed", String(wish === "on"));
  const choice = document.querySelector(".menu [name=sound]");
  if (choice) choice.value = wish;
  sound("told");
  fetch("/preferences", { method: "POST", headers: { "HX-Request": "true" }, body: new URLSearchParams({ sound: wish }) }).catch(() => undefined);
});
