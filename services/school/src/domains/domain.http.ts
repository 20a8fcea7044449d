import { fold } from '@lyceum/eventlog';
import { isRejection } from '@lyceum/kernel';
import type { ResolveTxt } from '@lyceum/service';
import {
  type Call,
  type Operation,
  type Ports,
  Problem,
  type Reply,
  type StatusTable,
  accepted,
  asOf,
  attempt,
  listOf,
  listQuery,
  listReply,
  operation,
} from '@lyceum/web';
import { z } from 'zod';
import { lastCheck } from './domain.checks.ts';
import { domainName } from './domain.name.ts';
import { demandProof } from './domain.proof.ts';
import { addDomainBody, domainDocument, domainParams, domainReply } from './domain.schema.ts';
import {
  type CustomDomain,
  type DomainCode,
  domainIn,
  domainsDecider,
  domainsStream,
  most,
  stateOf,
} from './domain.ts';
import { refuseTaken, releaseDomain, takeDomain } from './domain.taking.ts';

const statuses = { not_found: 404, invalid_state: 409 } as const satisfies StatusTable<DomainCode>;

const path = '/api/school/domains';
const owning = { area: 'school', scope: 'school:write', anonymous: false, roles: ['owner'] } as const;

/** What the operations need beside the usual. */
export interface DomainPorts {
  readonly resolveTxt: ResolveTxt;
  /** Domains of the platform itself, which no school can have. */
  readonly platform: readonly string[];
}

const now = ({ school }: Pick<Call, 'school'>, { log }: Pick<Ports, 'log'>) =>
  fold(log, domainsDecider, school, domainsStream);

/** What the school itself says to its staff of its domains. */
export async function domainsOfSchool(ports: Pick<Ports, 'log'>, school: string) {
  const { state } = await now({ school }, ports);
  const domains = state.map((each) => ({ host: each.domain, state: stateOf(each) }));
  return { domains, limits: { domains: most } };
}

type OfDomain = Call<{ params: typeof domainParams }>;

function nameIn(text: string): string | undefined {
  const named = domainName(text);
  return 'domain' in named ? named.domain : undefined;
}

const missing = () => new Problem('not_found', 'The school has no such domain');

/** The domain of the path, in whatever spelling. */
async function reach(call: Pick<OfDomain, 'school' | 'params'>, ports: Pick<Ports, 'log'>): Promise<CustomDomain> {
  const name = nameIn(call.params.domain);
  const found = name === undefined ? undefined : domainIn((await now(call, ports)).state, name);
  if (!found) throw missing();
  return found;
}

async function shown(
  { school }: Pick<Call, 'school'>,
  { documents }: Pick<Ports, 'documents'>,
  state: readonly CustomDomain[],
  name: string,
): Promise<Reply> {
  const found = domainIn(state, name);
  if (!found) throw missing();
  return { body: domainDocument(found, await lastCheck(documents, school, found)) };
}

const list = operation({
  id: 'listSchoolDomains',
  method: 'GET',
  path,
  area: 'school',
  summary: 'List the domains of the school',
  description: 'By name, as of now, for owners and admins; without a token the list is empty.',
  scope: 'school:read',
  anonymous: true,
  roles: ['owner', 'admin'],
  query: z.strictObject(listQuery),
  status: 200,
  reply: listOf(domainReply),
  async handle(call, ports) {
    const { state, version, lane, position } = await now(call, ports);
    const { limit = 20, after } = call.page;
    const sorted = [...state].sort((one, other) => (one.domain < other.domain ? -1 : 1));
    const rest = sorted.filter(({ domain }) => call.principal && (after === undefined || domain > after.id));
    const documentOf = async (each: CustomDomain) =>
      domainDocument(each, await lastCheck(ports.documents, call.school, each));
    const shown = rest.slice(0, limit).map(async (each) => ({ id: each.domain, body: await documentOf(each) }));
    const reply = listReply({ items: await Promise.all(shown), more: rest.length > limit }, ({ body }) => body);
    return { ...reply, ...(call.principal ? asOf({ version, lane, position }) : {}) };
  },
});

const add = ({ platform }: DomainPorts) =>
  operation({
    ...owning,
    id: 'addSchoolDomain',
    method: 'POST',
    path,
    summary: 'Add a domain',
    description:
      'The school answers at the domain once it is verified: publish `record` in its DNS, point the domain at the platform, then verify it. The issuer and all URLs that the school gives stay those of its base URL. Adding a domain again changes nothing.',
    body: addDomainBody(platform),
    status: 201,
    reply: domainReply,
    errors: ['domain_taken', 'invalid_state'],
    async handle(call, ports) {
      const domain = nameIn(call.body.domain)!;
      await refuseTaken(ports.log, call.school, domain);
      const command = { type: 'AddDomain', domain, proof: ports.ids.secret(24) } as const;
      const done = accepted(await attempt(call, ports, domainsDecider, domainsStream, command), statuses);
      const headers = { Location: `${path}/${domain}` };
      return { ...(await shown(call, ports, done.state, domain)), ...asOf(done), headers };
    },
  });

const verify = ({ resolveTxt }: DomainPorts) =>
  operation({
    ...owning,
    id: 'verifySchoolDomain',
    method: 'POST',
    path: `${path}/{domain}/verify`,
    summary: 'Verify a domain',
    description:
      'Looks for the TXT record; when it is there, the school answers at the domain within a second. It is looked for once a day from then on: a domain whose record is not there for three days, or whose name servers do not answer for sixty, lapses, and needs another one. Verifying again looks at once when the record was missed, and changes nothing otherwise. The first of several schools that prove a domain gets it.',
    params: domainParams,
    status: 200,
    reply: domainReply,
    errors: ['domain_unproven', 'domain_taken'],
    async handle(call: OfDomain, ports) {
      const found = await reach(call, ports);
      const { domain, proof } = found;
      const holding = { domain, school: call.school, proof };
      const isFailing = found.failing_since !== null;
      if (found.verified_at === null || isFailing) await demandProof(found, resolveTxt);
      if (found.verified_at === null) await takeDomain(ports, holding, call.meta);
      const type = found.verified_at !== null && isFailing ? 'FindProof' : 'VerifyDomain';
      const outcome = await attempt(call, ports, domainsDecider, domainsStream, { type, domain, proof });
      // Removed while its record was looked up.
      if (isRejection(outcome)) await releaseDomain(ports, holding);
      const done = accepted(outcome, statuses);
      return { ...(await shown(call, ports, done.state, domain)), ...asOf(done) };
    },
  });

const remove = operation({
  ...owning,
  id: 'removeSchoolDomain',
  method: 'DELETE',
  path: `${path}/{domain}`,
  summary: 'Remove a domain',
  description: 'The school answers there no longer, and another school may prove it.',
  params: domainParams,
  status: 204,
  async handle(call: OfDomain, ports) {
    const { domain, proof } = await reach(call, ports);
    const done = accepted(
      await attempt(call, ports, domainsDecider, domainsStream, { type: 'RemoveDomain', domain }),
      statuses,
    );
    await releaseDomain(ports, { domain, school: call.school, proof }, call.meta);
    return { observed: asOf(done).observed };
  },
});

/** All operations on the domains of a school. */
export const domainOperations = (ports: DomainPorts): readonly Operation[] => [list, add(ports), verify(ports), remove];
