import { type Answer, Client, type Place, call, loopbackFetch, patience } from '@lyceum/testkit';
import { createHash, randomUUID } from 'node:crypto';
import { inForce } from '../in-force.ts';

type Json = Readonly<Record<string, unknown>>;

const scope =
  'school:read school:write appearance:write pages:read pages:write posts:read posts:write events:read events:write ' +
  'courses:read courses:write curriculum:write lecturers:read lecturers:write digital_products:write storage:write ' +
  'membership_plans:read membership_plans:write coupons:write forms:read students:read members:read';

/** Takes what a path of a refusal leads to out of a body: the whole member of a list. */
function without(json: Json, path: string): Json {
  const [first = '', ...rest] = path.split('.');
  const value = json[first];
  if (Array.isArray(value) && rest.length > 0)
    return { ...json, [first]: value.filter((_, index) => String(index) !== rest[0]) };
  return Object.fromEntries(Object.entries(json).filter(([name]) => name !== first));
}

/** A text as the address of an image: a school may show images of the web, so that none of the web is among them. */
const imageIn = (values: readonly string[]): string =>
  values.find((value) => !value.startsWith('https:')) ?? 'javascript:window.ran=1';

/** Each kind of block that has texts or links. */
function blocksOf(value: string): readonly Json[] {
  const text = (link?: string) => [{ type: 'paragraph', text: [{ text: value, ...(link ? { link } : {}) }] }];
  const heading = { type: 'heading', level: 2, text: [{ text: value }] };
  return [
    { kind: 'hero', heading: value, text: value },
    { kind: 'hero', heading: value, image: imageIn([value]), alt: value },
    { kind: 'hero', heading: value, button: { label: value.slice(0, 60), url: value } },
    { kind: 'text', text: [...text(), { type: 'code', code: value }, heading] },
    { kind: 'text', text: text(value) },
    { kind: 'image', image: imageIn([value]), alt: value, caption: value },
    { kind: 'video', url: value, title: value },
    { kind: 'faq', title: value, items: [{ question: value, answer: text() }] },
    { kind: 'html_safe', html: value },
  ];
}

/** The owner of a school who writes hostile texts wherever the API lets them. */
export class HostileSite {
  readonly #system: Place;
  readonly #token: string;
  readonly lecturer: string;
  /** Fields that were taken, of all kinds of things. */
  taken = 0;

  private constructor(system: Place, token: string, lecturer: string) {
    this.#system = system;
    this.#token = token;
    this.lecturer = lecturer;
  }

  static async open(system: Place): Promise<HostileSite> {
    const client = await Client.register(system.baseUrl);
    const { access_token: token } = await client.tokens('owner@lantern.test', system.password, scope);
    const { body } = await call(`${system.baseUrl}/api/lecturers`);
    return new HostileSite(system, token, body.data[0].id);
  }

  /** The API as the owner calls it. */
  api(path: string, options: Parameters<typeof call>[1] = {}): Promise<Answer> {
    return call(`${this.#system.baseUrl}/api${path}`, { token: this.#token, ...options });
  }

  async post(path: string, json: object = {}, method = 'POST'): Promise<Answer['body']> {
    const headers = { 'idempotency-key': randomUUID() };
    const { status, body } = await this.api(path, { method, json, headers });
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** Writes all of a body that is taken: what is refused by its place is left out, `needed` has to be taken. */
  async write(path: string, hostile: Json, needed: Json, method = 'POST'): Promise<Answer['body']> {
    let json = hostile;
    for (let tries = 0; tries < 40; tries += 1) {
      const { status, body } = await this.api(path, { method, json: { ...needed, ...json } });
      if (status < 300) {
        this.taken += Object.keys(json).length;
        return body;
      }
      const places: readonly string[] = (body.details ?? []).map((each: { path: string }) => each.path);
      if (status !== 422 || places.length === 0) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
      // Beginning at the end, so that the others keep their numbers.
      json = places.toReversed().reduce(without, json);
    }
    throw new Error(`${path} takes nothing`);
  }

  /** A page with each kind of block for each text. */
  async page(values: readonly string[]): Promise<{ readonly slug: string; readonly form: string }> {
    const all = values.join(' ');
    const choice = { key: 'choice', label: all.slice(0, 200), type: 'choice', options: values };
    const fields = ['text', 'checkbox'].map((type) => ({ key: type, label: all.slice(0, 200), type }));
    const email = { key: 'email', label: values[0], type: 'email', required: true };
    const form = { kind: 'form', key: 'ask', name: 'Ask', consent: all, submit_message: all };
    const blocks = [{ ...form, fields: [email, choice, ...fields] }, ...values.flatMap(blocksOf)];
    const slug = `page-${randomUUID()}`;
    const seo = { title: values[0], description: all };
    const made = await this.write('/pages', { title: all.slice(0, 200), blocks, seo }, { title: 'A page', slug });
    await this.post(`/pages/${made.id}/publish`);
    const block = made.blocks.find(({ kind }: Json) => kind === 'form');
    return { slug, form: block?.form_id ?? '' };
  }

  async postOf(values: readonly string[]): Promise<string> {
    const slug = `post-${randomUUID()}`;
    const all = values.join(' ');
    const body = values.flatMap((text) => [
      { type: 'paragraph', text: [{ text }] },
      { type: 'paragraph', text: [{ text, link: text }] },
    ]);
    const tags = values.map((value) => value.slice(0, 40));
    const hostile = { title: all.slice(0, 200), excerpt: all.slice(0, 300), cover: imageIn(values), tags, body };
    const made = await this.write('/posts', hostile, { title: 'A post', slug });
    await this.post(`/posts/${made.id}/publish`);
    return slug;
  }

  async event(values: readonly string[]): Promise<{ readonly id: string; readonly slug: string }> {
    const slug = `event-${randomUUID()}`;
    const all = values.join(' ');
    const title = all.slice(0, 200);
    const [day, hour] = [Date.now() + 86_400_000, 3_600_000];
    const times = { starts_at: new Date(day).toISOString(), ends_at: new Date(day + hour).toISOString() };
    const description = values.map((text) => ({ type: 'paragraph', text: [{ text }] }));
    const hostile = { title, summary: all, description, venue: { name: title, address: all }, join_url: values[0] };
    const needed = { title: 'An event', slug, mode: 'hybrid', venue: { name: 'Loft', address: null }, ...times };
    const made = await this.write('/events', hostile, needed);
    await this.post(`/events/${made.id}/publish`);
    return { id: made.id, slug };
  }

  /** A course of one lesson, which costs something. */
  async course(values: readonly string[], more: Json = {}): Promise<{ readonly id: string; readonly slug: string }> {
    const slug = `course-${randomUUID()}`;
    const all = values.join(' ');
    const title = all.slice(0, 200);
    const description = values.map((text) => ({ type: 'paragraph', text: [{ text }] }));
    const tags = values.map((value) => value.slice(0, 40));
    const words = { title, subtitle: title, summary: all, description, category: all.slice(0, 60), tags };
    const links = values.map((url) => ({ label: url.slice(0, 60), url }));
    const lecturer = await this.write(
      '/lecturers',
      { display_name: all.slice(0, 120), title: all.slice(0, 120), bio: all, links },
      { display_name: 'A lecturer' },
    );
    const paid = { access: 'paid', prices: [{ amount: 100 }] };
    const needed = { title: 'A course', slug, lecturer_ids: [lecturer.id], ...paid, ...more };
    const made = await this.write('/courses', { ...words, cover: imageIn(values) }, needed);
    const at = `/courses/${made.id}`;
    const section = await this.write(`${at}/sections`, { title }, { title: 'All' });
    const lesson = await this.write(`${at}/lessons`, { title }, { title: 'One', section_id: section.id });
    await this.post(`${at}/lessons/${lesson.id}/publish`);
    await this.post(`${at}/publish`);
    return { id: made.id, slug };
  }

  async plan(values: readonly string[]): Promise<string> {
    const slug = `plan-${randomUUID()}`;
    const all = values.join(' ');
    const words = { name: all.slice(0, 200), summary: all, description: all, benefits: values };
    const needed = { name: 'A plan', slug, price: { amount: 700 }, grants: { posts: true } };
    const made = await this.write('/membership_plans', words, needed);
    await this.post(`/membership_plans/${made.id}/publish`);
    return slug;
  }

  /** Sends a file of a name; gives what the server says of it, or undefined when the name is refused. */
  async file(filename: string): Promise<Response | undefined> {
    const body = Buffer.from(`<script>window.ran=1</script> ${randomUUID()}`);
    const sha256 = createHash('sha256').update(body).digest('hex');
    const json = { purpose: 'lesson_file', filename, content_type: 'text/plain', size: body.length, sha256 };
    const made = await this.api('/storage/uploads', { json });
    if (made.status === 422) return undefined;
    await loopbackFetch(made.body.upload.url, { method: 'PUT', body });
    const done = await this.post(`/storage/uploads/${made.body.id}/complete`);
    return loopbackFetch(done.url);
  }

  /** Waits until the public site has something. */
  async shown(path: string, has: string): Promise<string> {
    const read = async () =>
      (
        await fetch(this.#system.baseUrl + path, { headers: { accept: path.includes('.') ? '*/*' : 'text/html' } })
      ).text();
    return inForce(patience, read, (text) => text.includes(has));
  }
}
