/** Scripts that a test runs inside a page, as text: this package has no types of a browser. */

/** How many pixels the page is too wide. */
export const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** Whatever can be pressed and is less than 44 px high or wide. A checkbox counts with its label. */
export const smallTargets = `[...document.querySelectorAll('input, button, label')]
  .filter((element) => element.checkVisibility() && element.type !== 'checkbox' && !element.htmlFor)
  .map((element) => [element.outerHTML, element.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 44 || height < 44)
  .map(([markup]) => markup)`;

/** How often something moved while the page loaded. */
export const layoutShifts = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().length)).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(0), 100);
})`;

/** Each text that is shown against the nearest opaque background behind it. */
export const measureContrast = `(() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const luminance = (colour) => channels(colour).slice(0, 3).map((channel) => channel / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (element) => {
    const colour = getComputedStyle(element).backgroundColor;
    return channels(colour)[3] === 0 ? behind(element.parentElement) : colour;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const faint = [];
  let seen = 0;
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
    seen += 1;
    const pair = [getComputedStyle(element).color, behind(element)].map(luminance).sort((a, b) => a - b);
    if ((pair[1] + 0.05) / (pair[0] + 0.05) < 4.5) faint.push(walker.currentNode.data.trim());
  }
  return { seen, faint };
})()`;

/** What has the focus: its tag, its name or class, and its value where that tells it apart. */
export const focused = `(({ tagName, name, value, className }) =>
  [tagName.toLowerCase(), name || className, tagName === 'INPUT' && name !== 'scope' ? '' : value].filter(Boolean).join(' ')
)(document.activeElement)`;
