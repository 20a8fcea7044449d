import { mongodbDocuments } from '@lyceum/documents';
import { Client, call } from '@lyceum/testkit';
import type { MixedSystem, ReleaseName } from '../mixed-system.ts';
import { until } from '../patience.ts';

/** Where leases are counted: lane 1 grows when one is given back. */
const leases = { name: 'leases', version: 1, fields: {} } as const;

/** A school that is to be withheld, and a client that is registered there. */
export interface ClosedSchool {
  readonly id: string;
  readonly client: Client;
}

/** Where a commit is. */
export interface Place {
  readonly lane: number;
  readonly position: number;
}

/** What is asked of a system about the signs of schools, and of whoever stands before one. */
export class SignQuestions {
  readonly #system: MixedSystem;

  constructor(system: MixedSystem) {
    this.#system = system;
  }

  async answersAt(host: string): Promise<boolean> {
    const { port } = this.#system.place;
    return (await call(`http://${host}:${port}/api/school`)).status === 200;
  }

  /** What somebody is answered who asks for a token: 503 while the school is withheld, else that nobody knows the grant. */
  token({ client }: ClosedSchool) {
    return client.refresh('of nobody');
  }

  async #operator(release: ReleaseName, path: string) {
    const { operatorToken: token } = this.#system.place;
    const { status, body } = await call(this.#system.schoolOperator(release) + path, { token });
    if (status !== 200) throw new Error(`${path} answers ${status}`);
    return body;
  }

  async withheldRows(): Promise<readonly { readonly school: string }[]> {
    return (await this.#operator('new', '/internal/withheld')).data;
  }

  /** The id of a school with an owner, whose lane others may share. */
  async northQuay(): Promise<string> {
    const { data } = await this.#operator(this.#system.running[0]!, '/internal/schools');
    return data.find(({ slug }: { slug: string }) => slug === 'north-quay').id;
  }

  async provisioned(): Promise<ClosedSchool> {
    const { operatorToken: token, port } = this.#system.place;
    const base_url = `http://signs.localhost:${port}`;
    const where = { host: new URL(base_url).host, base_url };
    const json = { slug: 'signs', name: 'Signs', ...where, currency: 'EUR', timezone: 'Europe/Lisbon', locale: 'en' };
    const made = await call(`${this.#system.schoolOperator('new')}/internal/schools`, { token, json });
    if (made.status !== 201) throw new Error(`a school was answered ${made.status} ${JSON.stringify(made.body)}`);
    const registered = await until(
      () => Client.register(base_url),
      () => true,
    );
    if (!registered.outcome) throw new Error('nobody knows the new school', { cause: registered.error });
    return { id: made.body.id as string, client: registered.outcome };
  }

  /** The alarm of the old release. */
  async alarm(): Promise<number> {
    const { operatorToken } = this.#system.place;
    const answer = await fetch(`${this.#system.schoolOperator('old')}/metrics`, {
      headers: { authorization: `Bearer ${operatorToken}` },
    });
    const line = /^lyceum_alarm\{(?=[^}]*name="unknown_event")(?=[^}]*service="school")[^}]*\} (\S+)$/m;
    return Number(line.exec(await answer.text())?.[1] ?? 0);
  }

  /** How often the relay's lease was given back. */
  async returned(): Promise<number> {
    const { url, prefix } = this.#system.mongodb;
    const documents = await mongodbDocuments({ url, database: `${prefix}school` });
    try {
      await documents.open(leases);
      return await documents.checkpoint(leases, 'relay', 1);
    } finally {
      await documents.close();
    }
  }

  /** What followed the log of the old release's school service up to an event, or beyond. */
  async passed(at: Place): Promise<readonly string[]> {
    const all = await this.#followers(at);
    return all
      .filter(({ position }) => position >= at.position)
      .map(({ name, position }) => `${name} at ${position}, which is not before ${at.position}`);
  }

  /** Whether the old release's school service has an event of its log still before it, in anything that it follows. */
  async isAhead(at: Place): Promise<boolean> {
    return (await this.#followers(at)).some(({ position }) => position < at.position);
  }

  async #followers({ lane }: Place): Promise<readonly { readonly name: string; readonly position: number }[]> {
    const { data: lanes } = await this.#operator('old', '/internal/lanes');
    const { data: models } = await this.#operator('old', '/internal/projections');
    const relays = lanes.flatMap((row: { lane: number; relay: Place | null }) =>
      row.lane === lane && row.relay ? [{ name: 'relay', position: row.relay.position }] : [],
    );
    const own = models
      .filter(({ source }: { source: string }) => source === 'school')
      .flatMap(({ projection, lanes: places }: { projection: string; lanes: readonly Place[] }) =>
        places.filter((each) => each.lane === lane).map((each) => ({ name: projection, position: each.position })),
      );
    return [...relays, ...own];
  }
}
