// Looks over a page as an auditor would: returns a list of complaints, each one line of text.
const done = arguments[arguments.length - 1], only = arguments[0];
const CONTROLS = "button, a[href], input:not([type=hidden]), select, textarea, [role=button], [role=tab], [role=checkbox], [role=slider], [role=radio], [role=application], .q-checkbox";
const SMALLEST = typeof arguments[1] === "number" ? arguments[1] : 24; // CSS pixels, WCAG 2.2, 2.5.8
const complaints = [];

const shown = (element) => {
  const box = element.getBoundingClientRect(), style = getComputedStyle(element);
  return box.width > 1 && box.height > 1 && style.visibility !== "hidden" && style.display !== "none" && !element.closest("[aria-hidden=true], [inert]");
};
const letters = (element) => {
  const copy = element.cloneNode(true);
  copy.querySelectorAll(".material-icons, .q-icon, .q-tooltip").forEach((icon) => icon.remove());
  return copy.textContent.trim();
};
const named = (element) => element.getAttribute("aria-label") || element.getAttribute("title") || letters(element)
  || (element.id && document.querySelector(`label[for="${element.id}"]`)?.textContent.trim())
  || document.getElementById(element.getAttribute("aria-labelledby"))?.textContent.trim() || letters(element.closest("label") || document.createElement("i"))
  || (element.closest("[aria-label]:not([role=application]):not(body)")?.getAttribute("aria-label")) || "";
const where = (element) => `<${element.tagName.toLowerCase()} class="${element.className}"> ${named(element) || element.outerHTML.slice(0, 160)}`;
const controls = [...document.querySelectorAll(CONTROLS)].filter(shown);

// ---- colours

const parse = (text) => {
  const numbers = (text.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
  return { rgb: numbers.slice(0, 3), alpha: numbers.length > 3 ? numbers[3] : 1 };
};
const over = (top, below) => top.rgb.map((value, i) => value * top.alpha + below[i] * (1 - top.alpha));
const light = (rgb) => rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
const behind = (element) => {
  const layers = [];
  for (let at = element; at; at = at.parentElement) {
    const colour = parse(getComputedStyle(at).backgroundColor);
    if (colour.alpha > 0) layers.push(colour);
    if (colour.alpha === 1) break;
  }
  return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
};
const faded = (element) => { let all = 1; for (let at = element; at; at = at.parentElement) all *= Number(getComputedStyle(at).opacity); return all; };

function contrast() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), seen = new Set();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || seen.has(element) || /^(SCRIPT|STYLE|NOSCRIPT)$/.test(element.tagName) || !shownText(element)) continue;
    seen.add(element);
    if (element.closest("[disabled], .disabled, .q-notification, .q-tooltip")) continue;
    const style = getComputedStyle(element), size = parseFloat(style.fontSize), below = behind(element);
    const icon = element.closest(".material-icons"), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ink = parse(style.color), found = ratio(over({ rgb: ink.rgb, alpha: ink.alpha * faded(element) }, below), below);
    const least = icon || large ? 3 : 4.5;
    if (found < least - 0.005) complaints.push(`contrast ${found.toFixed(2)} below ${least}: ${style.color} on ${below.map(Math.round)} "${node.textContent.trim().slice(0, 30)}" ${where(element).slice(0, 80)}`);
  }
}
const shownText = (element) => {
  const box = element.getBoundingClientRect(), style = getComputedStyle(element);
  return box.width > 1 && box.height > 1 && style.visibility !== "hidden" && Number(style.opacity) > 0;
};

// ---- names, sizes, tab order, tooltips

function names() {
  for (const control of controls) if (!named(control)) complaints.push(`no name: ${where(control)}`);
}

function sizes() {
  for (const control of controls) {
    const target = control.closest(".q-field, .q-checkbox, label, .q-slider") || control, box = target.getBoundingClientRect();
    if (Math.min(box.width, box.height) < SMALLEST - 0.5) complaints.push(`${Math.round(box.width)} x ${Math.round(box.height)} pixels: ${where(control)}`);
  }
}

function tabs() {
  for (const control of controls) {
    const list = control.closest("[role=tablist], [role=radiogroup]"), inner = control.querySelector("[tabindex='0'], input") || control.closest("[tabindex='0']");
    const reachable = control.tabIndex >= 0 || inner || list?.querySelector("[tabindex='0']");
    if (!reachable && !control.disabled) complaints.push(`not reached by Tab: ${where(control)}`);
  }
}

async function hints() {
  const pause = (ms) => new Promise((ready) => setTimeout(ready, ms));
  for (const control of controls) {
    const chain = [];
    for (let at = control; at && chain.length < 6 && !at.matches(".us-chrome, .q-drawer, body"); at = at.parentElement) chain.push(at);
    if (chain.some((at) => at.title)) continue;
    if (control.matches("[role=application], .us-help *")) continue;
    chain.forEach((at) => at.dispatchEvent(new MouseEvent("mouseenter")));
    for (let i = 0; i < 20 && !document.querySelector(".q-tooltip"); i++) await pause(15);
    if (!document.querySelector(".q-tooltip")) complaints.push(`no tooltip: ${where(control)}`);
    chain.forEach((at) => at.dispatchEvent(new MouseEvent("mouseleave")));
    for (let i = 0; i < 30 && document.querySelector(".q-tooltip"); i++) await pause(15);
  }
}

({ names, sizes, tabs, contrast }[only] ? Promise.resolve({ names, sizes, tabs, contrast }[only]()) : hints()).then(() => done(complaints));
