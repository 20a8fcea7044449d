import { type Answer, Client, Person, type Tokens, call } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MixedSystem } from './mixed-system.ts';
import { until } from './patience.ts';
import type { Report } from './report.ts';

/** Somebody who joined, as they were answered to be. */
export interface Guest {
  readonly id: string;
  readonly email: string;
  tags: readonly string[];
  refreshToken: string;
  erased: boolean;
}

const password = 'seven kites above the harbour';
/** Milliseconds since a refresh was asked for in which it may be asked for again for sure; later it is taken for a theft. */
const retried = 5_000;
const managing = 'openid members:read members:write courses:read courses:write';

/** What the people of a school do, over and over, whichever releases answer them; and what they were told. */
export class Traffic {
  readonly guests: Guest[] = [];
  /** Titles of courses by id. */
  readonly courses = new Map<string, string>();
  readonly #system: MixedSystem;
  readonly #report: Report;
  readonly #client: Client;
  readonly #school: string;
  #owner: Tokens;

  private constructor(system: MixedSystem, report: Report, client: Client, school: string, owner: Tokens) {
    this.#system = system;
    this.#report = report;
    this.#client = client;
    this.#school = school;
    this.#owner = owner;
  }

  /** Begins as soon as the demo school is complete everywhere. */
  static async begin(system: MixedSystem, report: Report): Promise<Traffic> {
    const { baseUrl, password: demo, operatorToken: token } = system.place;
    const settled = await until(
      async () => {
        const client = await Client.register(baseUrl);
        const owner = await client.tokens('owner@lantern.test', demo, managing);
        const { body } = await call(`${baseUrl}/api/courses`, { token: owner.access_token });
        if (body.view !== 'staff' || body.data.length === 0) throw new Error('the demo school is not complete');
        const schools = await call(`${system.schoolOperator(system.running[0]!)}/internal/schools`, { token });
        const school = schools.body.data.find(({ slug }: { slug: string }) => slug === 'lantern-craft').id as string;
        return new Traffic(system, report, client, school, owner);
      },
      () => true,
      120_000,
    );
    if (!settled.outcome) throw new Error('the system did not settle', { cause: settled.error });
    return settled.outcome;
  }

  get owner(): string {
    return this.#owner.access_token;
  }

  /** A round of everything, with what the rounds before left. */
  async round(name: string): Promise<void> {
    await this.#refreshOwner();
    for (const guest of this.#dueGuests()) await this.#goOn(guest, name);
    const [first, second] = [await this.#join('lecturer'), await this.#join('member')];
    await this.#write(name);
    if (first) await this.#tag(first, name);
    if (first) await this.#suspend(first);
    if (second) await this.#tag(second, `${name}, soon erased`);
    if (second) await this.#erase(second);
    await this.#page();
  }

  /** Those who go on in this round: the first ones, of whom most is known, and the last ones. All are compared all the time. */
  #dueGuests(): readonly Guest[] {
    const present = this.guests.filter(({ erased }) => !erased);
    return [...new Set([...present.slice(0, 2), ...present.slice(-4)])];
  }

  /** Writes until it is told to stop: courses that nobody else touches. */
  async writeUntil(signal: AbortSignal): Promise<void> {
    for (let number = 0; !signal.aborted; number += 1) {
      await this.#write(`steady ${number}`);
      await sleep(500);
    }
  }

  /** Asks until the answer has this status; what clients have to bear meanwhile is counted, and a refusal is a fault. */
  async #insist(what: string, ask: () => Promise<Answer>, status: number): Promise<Answer['body'] | undefined> {
    const { held, outcome, error } = await until(
      async () => {
        const answer = await ask();
        if (answer.status !== status)
          this.#report.count(`${what} answered ${answer.status} ${answer.body?.error ?? ''}`);
        return answer;
      },
      (answer) => answer.status === status,
    );
    if (held) return outcome!.body;
    this.#report.fault(`${what}: ${outcome ? `${outcome.status} ${JSON.stringify(outcome.body)}` : String(error)}`);
    return undefined;
  }

  #ask(path: string, options: Parameters<typeof call>[1] = {}): Promise<Answer> {
    return call(`${this.#system.place.baseUrl}${path}`, { token: this.owner, ...options });
  }

  async #refreshOwner(): Promise<void> {
    const before = this.#owner.refresh_token;
    const asked = Date.now();
    const owner = await this.#insist('a refresh', () => this.#client.refresh(before), 200);
    if (!owner) return;
    this.#owner = owner;
    await sleep(1_100);
    // The new release writes the retry down, where it runs; the old one goes on with what it does not know.
    await this.#system.answerFrom(this.#system.running.at(-1)!);
    const isLate = Date.now() - asked > retried;
    if (isLate) this.#report.count('a retry of a refresh that would have come too late was left out');
    const again = isLate ? undefined : await this.#insist('a retried refresh', () => this.#client.refresh(before), 200);
    await this.#system.answerFrom(...this.#system.running);
    if (again && again.refresh_token !== owner.refresh_token)
      this.#report.fault('a retried refresh was answered with another token');
  }

  async #join(role: string): Promise<Guest | undefined> {
    const { operatorToken: token } = this.#system.place;
    const email = `guest-${randomUUID().slice(0, 8)}@guests.test`;
    const json = { school: this.#school, email, role };
    const at = () => this.#system.schoolOperator(this.#pick());
    const invited = await this.#insist('an invitation', () => call(`${at()}/internal/members`, { token, json }), 201);
    if (!invited) return undefined;
    const signedUp = await until(
      async () => {
        const person = new Person();
        const page = await person.visit(invited.invitation_url);
        const { status, text } = await person.submit(page, { name: `Guest ${email}`, password });
        return status === 200 && text.includes('Your account is ready');
      },
      (done) => done,
    );
    if (!signedUp.held) return void this.#report.fault(`a sign-up: ${String(signedUp.error)}`);
    const tokens = await until(
      () => this.#client.tokens(email, password, 'openid courses:read'),
      () => true,
    );
    if (!tokens.outcome) return void this.#report.fault(`a sign-in: ${String(tokens.error)}`);
    const guest: Guest = { id: invited.id, email, tags: [], refreshToken: tokens.outcome.refresh_token, erased: false };
    this.guests.push(guest);
    return guest;
  }

  /** Who joined in a round before refreshes, is tagged again, signs in again. */
  async #goOn(guest: Guest, name: string): Promise<void> {
    const refreshed = await this.#insist('a guest’s refresh', () => this.#client.refresh(guest.refreshToken), 200);
    if (refreshed) guest.refreshToken = refreshed.refresh_token;
    await this.#tag(guest, name);
    const signIn = await until(
      () => this.#client.tokens(guest.email, password, 'openid'),
      () => true,
    );
    if (!signIn.held) this.#report.fault(`a later sign-in: ${String(signIn.error)}`);
  }

  async #tag(guest: Guest, name: string): Promise<void> {
    const tags = [...guest.tags, name.slice(0, 40)];
    const json = { tags, note: `noted ${name}`, marketing_consent: { value: true, source: `said ${name}` } };
    const change = () => this.#ask(`/api/members/${guest.id}`, { method: 'PATCH', json });
    if (await this.#insist('a change of a member', change, 200)) guest.tags = tags;
  }

  async #write(name: string): Promise<void> {
    const title = `${name} ${randomUUID().slice(0, 8)}`;
    const key = (of: string) => ({ 'idempotency-key': `"${title} ${of}"` });
    const copy = () => this.#ask('/api/courses/first-steps/duplicate', { json: { title }, headers: key('copied') });
    const course = await this.#insist('a course', copy, 201);
    if (!course) return;
    this.courses.set(course.id, title);
    const publish = () => this.#ask(`/api/courses/${course.id}/publish`, { method: 'POST', headers: key('published') });
    await this.#insist('a publication', publish, 200);
    const older = [...this.courses.keys()].at(-6);
    if (older === undefined) return;
    const json = { title: `${title} renamed` };
    const renamed = () => this.#ask(`/api/courses/${older}`, { method: 'PATCH', json, headers: key('renamed') });
    if (await this.#insist('a change of a course', renamed, 200)) this.courses.set(older, json.title);
  }

  /** A suspension is heard by the verifiers of every release that runs. */
  async #suspend(guest: Guest): Promise<void> {
    const { access_token: token } = await this.#client.tokens(guest.email, password, 'openid courses:read');
    const suspend = () => this.#ask(`/api/members/${guest.id}/suspend`, { method: 'POST' });
    if (!(await this.#insist('a suspension', suspend, 200))) return;
    for (const release of this.#system.running) {
      await this.#system.answerFrom(release);
      for (const path of ['/api/courses', '/api/oauth/userinfo'])
        await this.#insist(`a suspended member at ${release} ${path}`, () => this.#ask(path, { token }), 401);
    }
    await this.#system.answerFrom(...this.#system.running);
    const reinstate = () => this.#ask(`/api/members/${guest.id}/reinstate`, { method: 'POST' });
    await this.#insist('a reinstatement', reinstate, 200);
    const signIn = await until(
      () => this.#client.tokens(guest.email, password, 'openid'),
      () => true,
    );
    if (signIn.outcome) guest.refreshToken = signIn.outcome.refresh_token;
    else this.#report.fault(`a sign-in after a reinstatement: ${String(signIn.error)}`);
  }

  async #erase(guest: Guest): Promise<void> {
    const { access_token: token } = await this.#client.tokens(guest.email, password, 'openid courses:read');
    const erase = () => this.#ask(`/api/members/${guest.id}/erase`, { method: 'POST' });
    if (!(await this.#insist('an erasure', erase, 200))) return;
    guest.erased = true;
    for (const release of this.#system.running) {
      await this.#system.answerFrom(release);
      const userinfo = () => this.#ask('/api/oauth/userinfo', { token });
      await this.#insist(`an erased member at ${release}`, userinfo, 401);
      const read = () => this.#ask(`/api/members/${guest.id}`);
      await until(read, ({ body, status }) => status === 404 || body.email === null).then(({ held, outcome }) => {
        if (!held) this.#report.fault(`an erased member is told by ${release}: ${outcome?.status}`);
      });
    }
    await this.#system.answerFrom(...this.#system.running);
  }

  /** A cursor or a consistency token of one release, sent to the other: what is not understood is counted. */
  async #page(): Promise<void> {
    for (let turn = 0; turn < 4; turn += 1) {
      const first = await this.#ask('/api/courses?limit=2');
      const token = first.headers.get('consistency-token');
      const next = `/api/courses?limit=2&cursor=${encodeURIComponent(first.body.next_cursor ?? '')}`;
      const { status } = await this.#ask(next);
      if (status !== 200) this.#report.count(`a cursor was answered with ${status}`);
      if (token === null) continue;
      const read = await this.#ask('/api/courses', { headers: { 'consistency-token': token } });
      if (read.status !== 200) this.#report.count(`a consistency token was answered with ${read.status}`);
    }
  }

  #pick() {
    const { running } = this.#system;
    return running[Math.floor(Math.random() * running.length)]!;
  }
}
