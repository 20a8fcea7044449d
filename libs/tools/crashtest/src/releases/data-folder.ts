import { Client, type System, call, startSystem } from '@lyceum/testkit';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReleaseName } from './mixed-system.ts';
import { until } from './patience.ts';
import type { Report } from './report.ts';

/** Milliseconds in which reactions that were refused at first have tried again by themselves. */
const settling = 120_000;

const scope = 'openid courses:read courses:write members:read members:write';

/**
 * One data folder (SQLite) that the old release and the new one use in turn: old, new, old, new. Each sees all that was
 * acknowledged before it. What the old one exports, before and after the new one wrote, is imported by the new one.
 */
export async function inTurns(build: string, report: Report, leavesReceipts: boolean): Promise<void> {
  report.stage('one data folder, old and new in turn');
  const dataDir = await mkdtemp(join(tmpdir(), 'lyceum-releases-folder-'));
  const folder = new Folder(dataDir, build, report);
  try {
    const exported = await folder.turn('old');
    await folder.turn('new');
    const again = await folder.turn('old');
    await folder.turn('new');
    await folder.arrive(exported!);
    // The first release takes receipts of invitations along, which stay where they are; an import says so and refuses them.
    if (leavesReceipts) await folder.arrive(again!);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

class Folder {
  readonly #dataDir: string;
  readonly #build: string;
  readonly #report: Report;
  /** Titles of courses, and those that each export has. */
  readonly #titles: string[] = [];
  readonly #exported = new Map<string, readonly string[]>();
  /** Of the people of the demo, wherever their school goes. */
  #password = '';

  constructor(dataDir: string, build: string, report: Report) {
    this.#dataDir = dataDir;
    this.#build = build;
    this.#report = report;
  }

  /** One release starts on the folder, tells all that is there, writes more and stops. The old one exports the school. */
  async turn(release: ReleaseName): Promise<string | undefined> {
    const system = await startSystem({
      dataDir: this.#dataDir,
      ...(release === 'old' ? { build: this.#build } : {}),
    });
    try {
      this.#password = system.password;
      const client = await Client.register(system.baseUrl);
      const tokens = await client.tokens('owner@lantern.test', system.password, scope);
      await this.#expectAll(system, tokens.access_token, release);
      await this.#write(system, tokens.access_token, release);
      const { refresh_token: before } = await client.tokens('owner@lantern.test', system.password, 'openid');
      for (const what of ['a refresh', 'its retry']) {
        const { status } = await client.refresh(before!);
        if (status !== 200) this.#report.fault(`${what} at ${release} on the folder of both: ${status}`);
      }
      await this.#expectRest(system, release);
      return release === 'old' ? await this.#exportOf(system) : undefined;
    } finally {
      const code = await system.stop();
      if (code !== 0) this.#report.fault(`${release} on the folder of both ended with ${code}`);
    }
  }

  /** The new release imports what the old one exported, into an installation of its own. */
  async arrive(text: string): Promise<void> {
    const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 9).toString('base64');
    const there = await startSystem({ env: { NODE_ENV: 'production', DEMO_PASSWORD: '', KEY_ENCRYPTION_KEY } });
    try {
      const url = `${there.operatorUrl}/internal/schools/import?base_url=${encodeURIComponent(there.baseUrl)}`;
      const headers = {
        authorization: `Bearer ${there.operatorToken}`,
        'content-type': 'application/x-ndjson',
      };
      const ask = async (more = '') => {
        const answer = await fetch(url + more, { method: 'POST', headers, body: text });
        return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
      };
      const summary = await ask();
      const { status, body } =
        summary.status === 200 ? await ask(`&confirm=${String(summary.body['digest'])}`) : summary;
      if (status !== 201) return this.#report.fault(`an export of old is refused: ${status} ${JSON.stringify(body)}`);
      const signedIn = await until(
        async () => {
          const client = await Client.register(there.baseUrl);
          return client.tokens('owner@lantern.test', this.#password, scope);
        },
        () => true,
      );
      if (!signedIn.outcome)
        return this.#report.fault(`nobody of an imported school signs in: ${String(signedIn.error)}`);
      const titles = this.#exported.get(text)!;
      await this.#expect(there, signedIn.outcome.access_token, titles, 'the import of an export of old');
      await this.#expectRest(there, 'the import of an export of old');
      this.#report.say(`  an export of old with ${titles.length} new courses was imported`);
    } finally {
      await there.stop();
    }
  }

  async #write(system: System, token: string, release: ReleaseName): Promise<void> {
    const title = `written by ${release}, ${this.#titles.length}`;
    const made = await call(`${system.baseUrl}/api/courses`, { token, json: { title, access: 'free' } });
    if (made.status === 201) this.#titles.push(title);
    else
      this.#report.fault(`a course at ${release} on the folder of both: ${made.status} ${JSON.stringify(made.body)}`);
    const email = `guest-${this.#titles.length}@guests.test`;
    const { body: members } = await call(`${system.baseUrl}/api/members?limit=100`, { token });
    const member = members.data.find(({ role }: { role: string }) => role !== 'owner')?.id as string;
    const json = { tags: [`by ${release}`], note: `noted by ${release}` };
    const tagged = await call(`${system.baseUrl}/api/members/${member}`, { method: 'PATCH', token, json });
    if (tagged.status !== 200)
      this.#report.fault(`a member's tags at ${release} on the folder of both: ${tagged.status}`);
    const invited = await call(`${system.operatorUrl}/internal/members`, {
      token: system.operatorToken,
      json: { school: await schoolOf(system), email, role: 'member' },
    });
    if (invited.status !== 201)
      this.#report.fault(`an invitation at ${release} on the folder of both: ${invited.status}`);
  }

  #expectAll(system: System, token: string, release: ReleaseName): Promise<void> {
    return this.#expect(system, token, this.#titles, `${release} on the folder of both`);
  }

  async #expect({ baseUrl }: System, token: string, titles: readonly string[], who: string): Promise<void> {
    const told = await until(
      async () => (await call(`${baseUrl}/api/courses?limit=100`, { token })).body.data as { title: string }[],
      (rows) => titles.every((title) => rows.some((row) => row.title === title)),
    );
    const lacks = titles.filter((title) => !told.outcome?.some((row) => row.title === title));
    if (lacks.length > 0) this.#report.fault(`${who} lacks ${lacks.join(', ')}`);
  }

  /** Nothing waits for an operator. */
  async #expectRest({ operatorUrl, operatorToken: token }: System, who: string): Promise<void> {
    for (const path of ['parked', 'stuck']) {
      const { outcome } = await until(
        async () => (await call(`${operatorUrl}/internal/${path}`, { token })).body.data as unknown[],
        (rows) => rows.length === 0,
        settling,
      );
      for (const row of outcome ?? []) this.#report.fault(`${who}: ${path} ${JSON.stringify(row)}`);
    }
    const { body } = await call(`${operatorUrl}/internal/lanes`, { token });
    for (const { service, lane, missing } of body.data)
      if (missing !== null) this.#report.fault(`${who}: ${service} stands in lane ${lane} before ${missing}`);
  }

  async #exportOf(system: System): Promise<string> {
    const url = `${system.operatorUrl}/internal/schools/${await schoolOf(system)}/export?personal=included`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${system.operatorToken}` } });
    const text = await answer.text();
    if (answer.status !== 200) this.#report.fault(`an export of old answers ${answer.status}: ${text}`);
    this.#exported.set(text, [...this.#titles]);
    return text;
  }
}

const schoolOf = async ({ baseUrl }: System): Promise<string> => (await call(`${baseUrl}/api/school`)).body.id;
