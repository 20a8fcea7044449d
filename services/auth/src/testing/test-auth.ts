import { memoryChannel } from '@lyceum/channel';
import type { Role } from '@lyceum/contracts';
import { type Incoming, liveDocuments, memoryDocuments } from '@lyceum/documents';
import { type Ephemeral, memoryEphemeral } from '@lyceum/ephemeral';
import { Vault, catalogueOf, encryptedEventLog, memoryEventLog, memoryKeyStore, withStates } from '@lyceum/eventlog';
import type { Handler } from '@lyceum/internal-api';
import { isRejection, isoTime, systemIds } from '@lyceum/kernel';
import { type Trust, type TrustState, trustState } from '@lyceum/oauth';
import { type ModulePorts, followFacts, projectLog, publishFacts } from '@lyceum/service';
import { type Client, FakeClock, Person, approve, codeOf, post } from '@lyceum/testkit';
import { RateLimiter, mount } from '@lyceum/web';
import { randomBytes } from 'node:crypto';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accountOperations } from '../account-api/account-api.ts';
import { authEndpoints } from '../app.ts';
import { openAccount } from '../domain/accounts/account-registry.ts';
import { passwordsOf } from '../domain/accounts/password-hashing.ts';
import { documentClients } from '../domain/clients/documents/document-clients.ts';
import { SigningKeys } from '../domain/keys/signing-keys.ts';
import { accessTokenReader } from '../domain/tokens/read-access-token.ts';
import type { Egress } from '../egress/egress.ts';
import { guardedEgress } from '../egress/guarded-egress.ts';
import { RemoteJson } from '../egress/remote-json.ts';
import type { AuthPorts } from '../http/exchange/auth-ports.ts';
import { forgeriesAt } from '../http/steps/limits.ts';
import { exportRequestOperations } from '../exports/export-request.http.ts';
import { integrationEventOf } from '../integration-events.ts';
import { auth } from '../module.ts';
import { type MemberStatus, memberProjection, members } from '../school-projections/member.projection.ts';
import type { SchoolFact } from '../school-projections/school.ts';
import { knownSchools, schoolProjection } from '../school-projections/school.projection.ts';
import { sealerOf } from '../sealing/sealer.ts';

export const password = 'correct horse battery staple';
const people = ['owner', 'lecturer', 'member'] as const satisfies readonly Role[];
export const emailOf = (role: Role): string => `${role}@school.test`;

/** A school at an address of its own, as if a gateway stood in front of the service. */
export interface TestSchool {
  readonly id: string;
  readonly url: string;
}

/** The service with engines in memory, a clock that stands still, two schools and an account per role in each. */
export interface TestAuth {
  readonly ports: AuthPorts;
  readonly clock: FakeClock;
  /** Everything that was logged, as JSON. */
  readonly lines: string[];
  /** The network address that requests come from. */
  readonly caller: { address: string };
  readonly school: TestSchool;
  readonly other: TestSchool;
  /** Resolves when local verifiers know what was written so far. */
  settled(): Promise<void>;
  /** Goes on with other ports, as after a restart: on the same log unless it is changed too. */
  restart(changes: Partial<AuthPorts>): void;
  close(): Promise<void>;
}

const cheap = { memoryCost: 64, timeCost: 1, parallelism: 1 };

/** What a test wants otherwise. */
interface Wishes {
  readonly limitFactor?: number;
  /** Seconds. */
  readonly refreshGrace?: number;
  readonly ephemeral?: Ephemeral;
  /** The egress; the one of production when not given. */
  readonly egress?: Egress;
  readonly mostClients?: number;
  readonly localhostRedirects?: boolean;
}

export async function startAuth(wishes: Wishes = {}): Promise<TestAuth> {
  const clock = new FakeClock();
  const { limitFactor = 1_000, refreshGrace = 30, ephemeral = memoryEphemeral(clock) } = wishes;
  const { egress = guardedEgress(), mostClients = 10_000 } = wishes;
  const remoteJson = new RemoteJson(egress, clock);
  const ids = systemIds(clock);
  const vault = new Vault(memoryKeyStore(), [randomBytes(32)]);
  const log = withStates(encryptedEventLog(memoryEventLog(), { vault, catalogue: catalogueOf(auth.events ?? []) }), {
    erasures: vault,
  });
  const sealer = sealerOf(randomBytes(32));
  const lines: string[] = [];
  const note = (line: object, message = '') => void lines.push(`${inspectable(line)} ${message}`);
  const logger = { info: note, error: note };
  const documents = await liveDocuments(memoryDocuments());
  const channel = memoryChannel();
  const behind = { log, documents, logger: logger as unknown as ModulePorts['logger'], channel };
  for (const { collection } of [memberProjection, schoolProjection]) await documents.open(collection);
  const models = await Promise.all(
    (auth.projected ?? [])
      .flatMap(({ projections = [] }) => projections)
      .map((projection) => projectLog(behind, 'auth', projection)),
  );
  const keys = new SigningKeys({ log, clock, ids, sealerOf: async () => sealer });
  const ports: AuthPorts = {
    log,
    documents,
    ephemeral,
    clock,
    ids,
    sealer,
    vault,
    limits: new RateLimiter({ ephemeral, clock, logger }, limitFactor),
    limitFactor,
    accessTokens: accessTokenReader({ keys, clock, forgeries: forgeriesAt(clock, limitFactor) }),
    mostClients,
    localhostRedirects: wishes.localhostRedirects ?? true,
    refreshGrace,
    schools: knownSchools(documents),
    keys,
    passwords: passwordsOf(2, 64, cheap),
    joining: { rootKeys: [randomBytes(32)], ask: undefined },
    logger,
    egress,
    remoteJson,
    documentClients: documentClients(remoteJson, clock),
  };
  const trust = trustState(clock);
  const serving = (with_: AuthPorts): Handler => handlerOf(with_, trust);
  let handle = serving(ports);
  const servers: Server[] = [];
  const caller = { address: '192.0.2.1' };
  const open = async (): Promise<TestSchool> => {
    const id = ids.next('school');
    const server = createServer((request, response) => {
      request.headers['x-school-id'] ??= id;
      request.headers['x-client-address'] = caller.address;
      void handle(request, response);
    });
    servers.push(server);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await provision(ports, trust, id, url);
    return { id, url };
  };
  const relay = await publishFacts(behind, 'auth', integrationEventOf);
  const feed = followFacts(behind, 'auth', 'test', (arrival) => void trust.apply(arrival));
  const [school, other] = [await open(), await open()];
  const close = async () => {
    await Promise.all([...models, relay, feed].map((each) => each.close()));
    await channel.close();
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    }
  };
  const restart = (changes: Partial<AuthPorts>) => void (handle = serving({ ...ports, ...changes }));
  return { ports, clock, lines, caller, school, other, restart, settled: () => feed.caughtUp(), close };
}

/** The whole service: its endpoints and the account API. */
export const handlerOf = (ports: AuthPorts, trust: Trust): Handler =>
  mount({
    service: 'auth',
    operations: [...accountOperations(ports), ...exportRequestOperations],
    endpoints: authEndpoints(ports),
    ports,
    trust,
    logger: ports.logger,
    cursorSecret: 'cursor secret of a test',
  }).callback();

/** Errors as their stack too: what a logger would write of them. */
const inspectable = (line: object): string =>
  JSON.stringify(line, (_, value: unknown) =>
    value instanceof Error ? `${value.stack} ${String(value.cause)}` : value,
  );

async function provision(ports: AuthPorts, trust: TrustState, id: string, url: string): Promise<void> {
  const data = { slug: 's', name: 'Test School', host: '127.0.0.1', base_url: url, currency: 'USD', locale: 'en' };
  const fact = { type: 'SchoolProvisioned', data: { ...data, timezone: 'UTC' } };
  await tellOfSchool(ports, id, fact);
  trust.apply({ source: 'school', tenant: id, at: isoTime(ports.clock.now()), fact });
  await ports.keys.begin(id);
  const passwordHash = await ports.passwords.hash(password);
  for (const role of people) {
    const account = { id: ports.ids.next('account'), email: emailOf(role), name: `The ${role}`, passwordHash };
    const opened = await openAccount(ports, id, { ...account, actor: 'system' });
    if (isRejection(opened)) throw new Error(opened.reason);
    await setMemberStatus(ports, id, opened.id, { role, status: 'active' });
  }
}

/** Tells of a school as if an integration event had arrived. */
export async function tellOfSchool({ documents }: Pick<AuthPorts, 'documents'>, school: string, fact: SchoolFact) {
  const { collection } = schoolProjection;
  const incoming = { ...fact, tenant: school } as unknown as Incoming;
  const id = schoolProjection.key(incoming)!;
  const body = schoolProjection.project(incoming, await documents.get(collection, school, id));
  const at = await documents.checkpoint(collection, 'school', 0);
  await documents.apply(collection, 'school', 0, at, at, [{ tenant: school, id, body }]);
}

/** Sets the role and status of a member as if integration events had arrived. */
export async function setMemberStatus({ documents }: AuthPorts, school: string, id: string, standing: MemberStatus) {
  const body = { ...standing };
  const at = await documents.checkpoint(members, 'school', 0);
  await documents.apply(members, 'school', 0, at, at, [{ tenant: school, id, body }]);
}

/** A code that a person has approved for a client, and what redeems it. */
export async function approved(
  client: Client,
  scope = 'openid profile email courses:read',
  {
    role = 'owner',
    person = new Person(),
    more = {},
  }: { role?: Role; person?: Person; more?: Record<string, string> } = {},
): Promise<{ readonly url: URL; readonly verifier: string; readonly code: string }> {
  const started = client.start(scope, more);
  const code = codeOf(await approve(person, started.url, emailOf(role), password));
  return { ...started, code };
}

/** A confidential client: its secret goes with every call. */
export async function registerConfidential(school: TestSchool) {
  const response = await fetch(`${school.url}/api/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: ['http://127.0.0.1:53682/callback'],
      token_endpoint_auth_method: 'client_secret_post',
    }),
  });
  return (await response.json()) as { client_id: string; client_secret: string; registration_access_token: string };
}

/** Introspection of a client's own token. */
export const introspect = (school: TestSchool, client: string, token: string) =>
  post(`${school.url}/api/oauth/introspect`, { token, client_id: client });

/** UserInfo with a bearer token. */
export const userinfo = (school: TestSchool, token: string) =>
  fetch(`${school.url}/api/oauth/userinfo`, { headers: { authorization: `Bearer ${token}` } });
