import type { launchBrowser } from '@lyceum/testkit';

type Browser = NonNullable<Awaited<ReturnType<typeof launchBrowser>>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

/** What a page does that it should not. */
const lookAround = (own: string) => `(() => {
  const isOwn = (each) => ${own === '' ? 'false' : `each.matches(${JSON.stringify(own)})`};
  const faults = [];
  if (window.ran !== undefined) faults.push('something ran');
  document.querySelectorAll('summary').forEach((each) => each.click());
  document.querySelectorAll('[tabindex],a,summary,input,button,select,textarea').forEach((each) => each.focus());
  if (window.ran !== undefined) faults.push('something ran by focus');
  for (const each of document.querySelectorAll('*')) {
    if (isOwn(each)) continue;
    for (const { name, value } of each.attributes) {
      if (/^on|^srcdoc$/i.test(name)) faults.push(each.outerHTML);
      if (/^(href|src|action|formaction|data|poster|ping|background)$/i.test(name)) {
        const url = new URL(value, location.href);
        const isHere = url.origin === location.origin || value === 'data:,';
        const isWeb = url.protocol === 'https:' || url.protocol === 'http:' || url.protocol === 'mailto:';
        if (name === 'href' ? !isHere && !isWeb : !isHere) faults.push(name + '=' + value);
      }
    }
  }
  const others = 'base,object,embed,iframe,svg,math,meta[http-equiv],link[rel=stylesheet],script:not([type="application/ld+json"])';
  for (const each of document.querySelectorAll(others)) if (!isOwn(each)) faults.push(each.outerHTML);
  if (document.documentElement.scrollWidth > innerWidth) faults.push('it is wider than the screen');
  return faults;
})()`;

/** A page of Chromium that notes what pages try, whether or not their policy lets them. */
export class WatchedPage {
  readonly page: Page;
  readonly #origin: string;
  readonly #noted: string[] = [];

  private constructor(page: Page, origin: string) {
    this.page = page;
    this.#origin = origin;
  }

  static async open(browser: Browser, baseUrl: string): Promise<WatchedPage> {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    const watched = new WatchedPage(page, baseUrl);
    page.on('dialog', (dialog) => (watched.#noted.push(`dialog ${dialog.message()}`), void dialog.dismiss()));
    page.on('console', (message) => {
      if (!/status of 4\d\d/.test(message.text())) watched.#noted.push(message.text());
    });
    page.on('pageerror', (error) => void watched.#noted.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${baseUrl}/`) && !url.startsWith('data:')) watched.#noted.push(`asks ${url}`);
    });
    return watched;
  }

  /** Goes to a path, and tells what was wrong with its page: nothing, if all is well. `own`: elements of the platform's. */
  async faultsAt(path: string, own?: string): Promise<readonly string[]> {
    const response = await this.page.goto(path.startsWith('http') ? path : this.#origin + path);
    const policy = response?.headers()['content-security-policy'] ?? '';
    const isOpen = !policy.includes("default-src 'none'") || /unsafe-(inline|eval)/.test(policy);
    return [...(isOpen ? [`the policy is ${policy}`] : []), ...(await this.faults(own))];
  }

  /** What is wrong with the page that is open. */
  async faults(own = ''): Promise<readonly string[]> {
    const found = (await this.page.evaluate(lookAround(own))) as string[];
    const noted = this.#noted.splice(0);
    return [...noted, ...found].map((fault) => `${this.page.url()}: ${fault}`);
  }
}
