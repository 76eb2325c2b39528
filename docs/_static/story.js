// Buttons of a story set its explorer, and numbers of its text are those of the explorer: docs/extension/story.py.
(() => {
  const slot = document.querySelector(".pdp-story .pdp-slot");
  const buttons = [...document.querySelectorAll(".pdp-set")];
  const numbers = [...document.querySelectorAll(".pdp-shows")].map((el) => ({ el, told: el.textContent, ...el.dataset }));
  let step = 0;

  const at = (view, path) => path.split(".").reduce((held, name) => held?.[name], view);

  /** As `as_read` in story.py writes it. */
  function asRead(value, form) {
    if (form === "s") return String(value);
    if (form === "d") return String(Math.trunc(value)).replace("-", "−");
    const digits = Number(form.slice(1, -1));
    // Python writes two digits of an exponent.
    if (form.endsWith("e")) return value.toExponential(digits).replace(/e([+-])(\d)$/, "e$10$2").replaceAll("-", "−");
    const said = form.endsWith("%") ? `${(100 * value).toFixed(digits)} %` : value.toFixed(digits);
    return said.replace("-", "−");
  }

  /** Numbers of the present step follow the explorer, all others are those that the text was written with. */
  function write(view) {
    for (const { el, told, path, form, step: own } of numbers) {
      const value = Number(own) === step && view ? at(view, path) : undefined;
      const known = typeof value === (form === "s" ? "string" : "number");
      el.textContent = value === undefined ? told : known ? asRead(value, form) : "–";
    }
  }

  slot?.addEventListener("pdp:change", (event) => write(event.detail));
  buttons.forEach((button, place) => {
    button.addEventListener("click", () => {
      step = place + 1;
      write(null);
      buttons.forEach((one) => one.setAttribute("aria-pressed", String(one === button)));
      slot?.dispatchEvent(new CustomEvent("pdp:ask", { detail: JSON.parse(button.dataset.set) }));
    });
  });
})();
