import { Client, Person, type Tokens, call, loopbackFetch } from '@lyceum/testkit';
import { createHash } from 'node:crypto';
import { joinByInvitation } from '../joining.ts';
import type { Installation } from './installation.ts';

const password = 'seven kites above the harbour';

/** What the owner may do in these drills. */
const ownerScope =
  'openid school:read members:read courses:read courses:write curriculum:read curriculum:write lecturers:read ' +
  'lecturers:write students:read students:write orders:read pages:read posts:read storage:write';
const memberScope = 'openid account:read account:write courses:read curriculum:read';

const people = { owner: 'olga@harbour.test', member: 'mia@harbour.test' } as const;
type Who = keyof typeof people;

/** A school of an installation, with an owner and a member who sign in by their passwords. */
export class Harbour {
  readonly id: string;
  readonly baseUrl: string;
  /** The ids of its people. */
  readonly people: Readonly<Record<Who, string>>;

  private constructor(id: string, baseUrl: string, members: Readonly<Record<Who, string>>) {
    this.id = id;
    this.baseUrl = baseUrl;
    this.people = members;
  }

  /** Makes the school at its address, and has both join. */
  static async open(machine: Installation, baseUrl: string, slug = 'harbour'): Promise<Harbour> {
    const operator = await machine.operator();
    const place = { slug, name: 'Harbour School', base_url: baseUrl, host: new URL(baseUrl).host };
    const json = { ...place, currency: 'EUR', timezone: 'Europe/Lisbon', locale: 'en' };
    const { status, body } = await call(`${operator.operatorUrl}/internal/schools`, {
      token: operator.operatorToken,
      json,
    });
    if (status !== 201) throw new Error(`no school: ${status} ${JSON.stringify(body)}`);
    const ids: Partial<Record<Who, string>> = {};
    for (const who of ['owner', 'member'] as const) {
      const joined = await joinByInvitation({ ...operator, baseUrl }, people[who], { slug, password, role: who });
      ids[who] = joined.id;
    }
    return new Harbour(body.id, baseUrl, ids as Record<Who, string>);
  }

  /** Signs in by the password, at a client of one's own. */
  async signIn(who: Who, person = new Person()): Promise<{ readonly client: Client; readonly tokens: Tokens }> {
    const client = await Client.register(this.baseUrl);
    const scope = who === 'owner' ? ownerScope : memberScope;
    return { client, tokens: await client.tokens(people[who], password, scope, person) };
  }

  api(path: string, options: Parameters<typeof call>[1] = {}) {
    return call(`${this.baseUrl}/api${path}`, options);
  }

  /** Asks, and throws when it is refused. */
  async make(token: string, path: string, json: object = {}): Promise<{ readonly id: string }> {
    const { status, body } = await this.api(path, { token, json });
    if (status >= 300) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  /** Publishes a free course of one lesson, in which the member is enrolled. */
  async teach(token: string, title: string): Promise<string> {
    const lecturer = await this.make(token, '/lecturers', { display_name: `Who teaches ${title}` });
    const { id } = await this.make(token, '/courses', { title, access: 'free', lecturer_ids: [lecturer.id] });
    const section = await this.make(token, `/courses/${id}/sections`, { title: 'All' });
    const release = { type: 'immediate' };
    const json = { section_id: section.id, title: 'First', type: 'text', release };
    const lesson = await this.make(token, `/courses/${id}/lessons`, json);
    await this.make(token, `/courses/${id}/lessons/${lesson.id}/publish`);
    await this.make(token, `/courses/${id}/publish`);
    return id;
  }

  /** A file of the school, at an address that is good for a while. */
  async upload(token: string, text: string): Promise<string> {
    const body = Buffer.from(text);
    const sha256 = createHash('sha256').update(body).digest('hex');
    const json = { purpose: 'lesson_file', filename: 'a.txt', content_type: 'text/plain', size: body.length, sha256 };
    const made = await this.api('/storage/uploads', { token, json });
    await loopbackFetch(made.body.upload.url, { method: 'PUT', body });
    await this.make(token, `/storage/uploads/${made.body.id}/complete`);
    return made.body.id;
  }
}
