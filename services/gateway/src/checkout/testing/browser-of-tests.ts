/** An answer as a browser without scripts has it. */
export interface Shown {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** Where it leads, below the school's address; an address elsewhere as it is. */
  readonly location: string | undefined;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decoded = (text: string): string =>
  text.replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);

/** Keeps cookies, follows nothing by itself. */
export class BrowserOfTests {
  readonly cookies = new Map<string, string>();
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(baseUrl: string, headers: Readonly<Record<string, string>> = {}) {
    this.#baseUrl = baseUrl;
    this.#headers = headers;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Shown> {
    return this.#send(path, { headers });
  }

  post(path: string, fields: readonly (readonly [string, string])[]): Promise<Shown> {
    return this.#send(path, {
      method: 'POST',
      body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])),
    });
  }

  async #send(path: string, init: RequestInit): Promise<Shown> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...this.#headers, ...(init.headers as object), ...(cookie ? { cookie } : {}) };
    const response = await fetch(this.#baseUrl + path, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const at = pair.indexOf('=');
      if (attributes.includes('Max-Age=0')) this.cookies.delete(pair.slice(0, at));
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = response.headers.get('location') ?? undefined;
    return { status: response.status, text: await response.text(), headers: response.headers, location };
  }
}

/** The fields of the form of a page that is posted, as a browser would send them, with others in their place. */
export function formOf(
  page: Pick<Shown, 'text'>,
  changes: Readonly<Record<string, string>> = {},
): readonly (readonly [string, string])[] {
  const form = /<form method="post"[\s\S]*?<\/form>/.exec(page.text)?.[0] ?? '';
  const fields = [...form.matchAll(/<input\b[^>]*>/g)].flatMap(([input]) => {
    const [name, value] = ['name', 'value'].map((attribute) => new RegExp(` ${attribute}="([^"]*)"`).exec(input)?.[1]);
    return name === undefined || name in changes ? [] : [[name, decoded(value ?? '')] as const];
  });
  return [...fields, ...Object.entries(changes)];
}
