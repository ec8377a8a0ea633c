// Claims with all of the words, of one kind, with one verdict; the address keeps what was asked for.
const form = document.querySelector(".search"), said = form.querySelector("output");
const rows = [...document.querySelectorAll(".found tbody tr")].map(row => ({row, text: row.textContent.toLowerCase()}));
function search() {
  const words = form.words.value.toLowerCase().split(/\s+/).filter(Boolean), kind = form.kind.value, state = form.state.value;
  let shown = 0;
  for (const {row, text} of rows) {
    row.hidden = !((!kind || row.dataset.kind === kind) && (!state || row.dataset.state === state) && words.every(word => text.includes(word)));
    shown += !row.hidden;
  }
  said.textContent = `${shown} of ${rows.length}`;
}
form.addEventListener("input", () => {
  const asked = [...new FormData(form)].filter(([, value]) => value);
  history.replaceState(null, "", asked.length ? `?${new URLSearchParams(asked)}` : location.pathname);
  search();
});
form.addEventListener("submit", event => event.preventDefault());
for (const [name, value] of new URLSearchParams(location.search)) if (form.elements[name]) form.elements[name].value = value;
search();
