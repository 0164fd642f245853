// The result as a picture: the server draws it, the page makes a PNG of it, and the phone's share sheet or the disk takes it.

const dialog = document.getElementById("picture");
const [image, names] = [dialog.querySelector("img"), dialog.querySelector("[name=names]")];
const SIZE = 1080;
let file = null;

function draw() {
  file = null;
  for (const button of dialog.querySelectorAll("[data-picture]")) button.disabled = true;
  image.src = `${location.pathname}/result.svg?names=${names.checked ? "yes" : "no"}`;
}

image.addEventListener("load", () => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE;
  canvas.getContext("2d").drawImage(image, 0, 0, SIZE, SIZE);
  // All at once: toBlob works only while the browser has nothing else to do, which can take many seconds.
  const png = atob(canvas.toDataURL("image/png").split(",")[1]);
  const bytes = Uint8Array.from(png, (letter) => letter.charCodeAt(0));
  file = new File([bytes], dialog.dataset.file, { type: "image/png" });
  for (const button of dialog.querySelectorAll("[data-picture]")) button.disabled = false;
  dialog.querySelector("[data-picture=share]").hidden = !navigator.canShare?.({ files: [file] });
});

function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

document.addEventListener("click", (event) => {
  const open = event.target.closest("[data-picture-of]");
  if (open) {
    image.alt = open.dataset.pictureOf;
    dialog.showModal();
    draw();
  }
  const wish = event.target.closest("[data-picture]")?.dataset.picture;
  if (wish === "save") save();
  if (wish === "share") navigator.share({ files: [file] }).catch(() => undefined);
});
names.addEventListener("change", draw);
