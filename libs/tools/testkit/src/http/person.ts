import { loopbackFetch } from './loopback-fetch.ts';

/** A form of a page: where it posts, and its fields as they stand. */
export interface Form {
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** Where a person ended up: the address, the status, the text, and the redirect that left the school, if any. */
export interface Landed {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** Set when a redirect pointed away from the school's origin: the client's own address. Not followed. */
  readonly left?: URL;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };
const decode = (text: string): string =>
  text.replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);
const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : decode(found);
};

/** The forms of a page, with the values a browser would send: hidden and text inputs, ticked boxes; no buttons. */
export function formsOf(page: string, base: string): readonly Form[] {
  return [...page.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => ({
    action: new URL(attribute(/<form\b[^>]*>/.exec(form)![0], 'action') ?? base, base).href,
    fields: [...form.matchAll(/<input\b[^>]*>/g)].flatMap(([input]) => {
      const name = attribute(input, 'name');
      const box = attribute(input, 'type') === 'checkbox';
      if (name === undefined || (box && !/\schecked\b/.test(input))) return [];
      return [[name, attribute(input, 'value') ?? ''] as const];
    }),
  }));
}

/** The values of fields, by name. */
type Values = Readonly<Record<string, string | readonly string[]>>;

/** What a browser sends of the only form of a page, and where to. */
function filledIn(page: Landed, values: Values): { readonly url: URL; readonly body: URLSearchParams } {
  const [form] = formsOf(page.text, page.url);
  if (!form) throw new Error(`no form at ${page.url} (${page.status}): ${page.text.slice(0, 300)}`);
  const body = new URLSearchParams();
  for (const [name, value] of form.fields) if (!(name in values)) body.append(name, value);
  for (const [name, value] of Object.entries(values))
    for (const each of [value].flat()) body.append(name, each as string);
  return { url: new URL(form.action), body };
}

/** Someone at a browser without JavaScript: keeps cookies, follows redirects inside the school, fills in forms. */
export class Person {
  readonly #cookies = new Map<string, string>();
  readonly #headers: Readonly<Record<string, string>>;

  /** `headers` go with every request, as if a proxy stood in between. */
  constructor(headers: Readonly<Record<string, string>> = {}) {
    this.#headers = headers;
  }

  /** What the browser would send as `Cookie`. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Opens an address. */
  visit(url: string | URL): Promise<Landed> {
    return this.#go(new URL(url), { method: 'GET' });
  }

  /** Sends the page's only form with these values in place of the page's own; an array sends a field several times. */
  submit(page: Landed, values: Values): Promise<Landed> {
    const { url, body } = filledIn(page, values);
    return this.#go(url, { method: 'POST', body });
  }

  /** The same for a form that is answered with a file, or whatever comes: as it comes. */
  download(page: Landed, values: Values, more: RequestInit = {}): Promise<Response> {
    const { url, body } = filledIn(page, values);
    return loopbackFetch(url, { ...more, method: 'POST', body, headers: { origin: 'null', cookie: this.cookie } });
  }

  async #go(url: URL, init: RequestInit): Promise<Landed> {
    const { cookie } = this;
    const response = await loopbackFetch(url, {
      ...init,
      headers: {
        ...this.#headers,
        ...(init.method === 'POST' ? { origin: 'null' } : {}),
        ...(cookie ? { cookie } : {}),
      },
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    const text = await response.text();
    const location = response.headers.get('location');
    if (location === null) return { url: url.href, status: response.status, text, headers: response.headers };
    const next = new URL(location, url);
    if (next.origin !== url.origin)
      return { url: url.href, status: response.status, text, headers: response.headers, left: next };
    return this.#go(next, { method: 'GET' });
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';');
    const [name, value] = [pair.slice(0, pair.indexOf('=')).trim(), pair.slice(pair.indexOf('=') + 1).trim()];
    if (attributes.some((each) => /^\s*max-age=0$/i.test(each))) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}
