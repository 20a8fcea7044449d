import { type Form, formsOf, loopbackFetch } from '@lyceum/testkit';

/** A page as it came, redirects not followed. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser whose cookies an attacker may set, and which follows nothing by itself. */
export class Browser {
  readonly cookies = new Map<string, string>();

  async go(url: string | URL, init: RequestInit = {}): Promise<Page> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await loopbackFetch(url, { ...init, headers: { ...init.headers, ...(cookie ? { cookie } : {}) } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      this.cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    return { url: String(url), status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Sends a form of a page from this browser, wherever the page was seen. */
  async send(form: Form, values: Readonly<Record<string, string>>): Promise<Page> {
    const body = new URLSearchParams(form.fields.filter(([name]) => !(name in values)).map(([...pair]) => pair));
    for (const [name, value] of Object.entries(values)) body.append(name, value);
    return this.go(form.action, { method: 'POST', body });
  }

  /** The page that a redirect inside the school leads to. */
  async follow(page: Page): Promise<Page> {
    const location = page.headers.get('location');
    return location === null ? page : this.go(new URL(location, page.url));
  }
}

/** The only form of a page. */
export function formOf(page: Page): Form {
  const [form] = formsOf(page.text, page.url);
  if (!form) throw new Error(`no form at ${page.url} (${page.status}): ${page.text.slice(0, 300)}`);
  return form;
}
