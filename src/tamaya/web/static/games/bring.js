// A file that is dropped on the page is as good as one that was chosen.
"use strict";

const form = document.querySelector(".bring");
const hold = (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  form.classList.toggle("over", event.type === "dragover");
};

addEventListener("dragover", hold);
addEventListener("dragleave", hold);
addEventListener("drop", (event) => {
  hold(event);
  if (!event.dataTransfer.files.length) return;
  const first = new DataTransfer();
  first.items.add(event.dataTransfer.files[0]);
  form.elements.file.files = first.files;
  form.requestSubmit();
});
