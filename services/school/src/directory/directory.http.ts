import { isRejection } from '@lyceum/kernel';
import { originProblem } from '@lyceum/runtime';
import { type Call, type StatusTable, listOf, listQuery, listReply, operation, problemOf } from '@lyceum/web';
import { z } from 'zod';
import { directory, directoryRow } from './directory.projection.ts';
import { type EntryRejection, platformTenant, schoolOfEntry } from './entry.ts';
import { enter, settle } from './provisioning.ts';

const rejections = { slug_taken: 409, host_taken: 409, not_found: 404 } as const satisfies StatusTable<EntryRejection>;

const knownTo =
  (check: (value: string) => unknown): ((value: string) => boolean) =>
  (value) => {
    try {
      return Boolean(check(value));
    } catch {
      return false;
    }
  };
const isTimezone = knownTo((timeZone) => new Intl.DateTimeFormat('en', { timeZone }));
const isLocale = knownTo((locale) => Intl.getCanonicalLocales(locale)[0] === locale);
const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code);

const slug = /^[a-z0-9](?:-?[a-z0-9])*$/;

/** With the port or without it: what counts is the base URL's. */
const sameHost = ({ host, base_url }: { host: string; base_url: string }): boolean =>
  !URL.canParse(base_url) || [new URL(base_url).host, new URL(base_url).hostname].includes(host);

const provisionSchoolBody = z
  .strictObject({
    slug: z.string().min(3).max(80).regex(slug, 'lower-case letters, digits and single hyphens'),
    name: z.string().trim().min(1).max(200),
    host: z.string().min(1).max(255).meta({ description: 'Host of base_url, lower case.' }),
    base_url: z
      .string()
      .max(300)
      .superRefine((value, context) => {
        const message = originProblem(value);
        if (message) context.addIssue({ code: 'custom', message });
      })
      .meta({ description: 'Origin and issuer; https unless loopback.' }),
    owner_email: z.email().max(254).optional().meta({ description: 'Who will be invited as owner.' }),
    currency: z.string().refine(isCurrency, 'an ISO 4217 code, e.g. EUR'),
    timezone: z.string().max(64).refine(isTimezone, 'an IANA time zone, e.g. Europe/Lisbon'),
    locale: z.string().max(35).refine(isLocale, 'a BCP 47 language tag, e.g. pt-PT'),
  })
  .refine(sameHost, { path: ['host'], message: 'the host of base_url, in lower case' })
  .meta({ id: 'ProvisionSchool' });

const provisionedSchool = directoryRow
  .omit({ school: true, owner_email: true })
  .extend({ id: z.string(), object: z.literal('school') })
  .meta({ id: 'ProvisionedSchool', description: 'A school in the directory of the platform.' });

const shown = (id: string, row: Readonly<Record<string, unknown>>) => ({ ...row, id, object: 'school' });

/** Gives a new school its place on the platform, then its own tenant. */
export const provisionSchool = operation({
  id: 'provisionSchool',
  method: 'POST',
  path: '/internal/schools',
  area: 'school',
  summary: 'Provision a school',
  anonymous: false,
  status: 201,
  body: provisionSchoolBody,
  reply: provisionedSchool,
  errors: ['slug_taken', 'host_taken'],
  async handle({ body, commit, meta, at }: Call<{ body: typeof provisionSchoolBody }>, ports) {
    // The port belongs to the host: the gateway tells schools on one name apart by it.
    const profile = { ...body, host: new URL(body.base_url).host };
    const { owner_email, ...rest } = profile;
    const command = {
      kind: 'admit',
      school: ports.ids.next('school'),
      profile: owner_email === undefined ? rest : { ...rest, owner_email },
    } as const;
    const entered = await enter(ports, command.school, command, { meta, commit });
    if (isRejection(entered)) throw problemOf(entered, rejections);
    const { stream, state, lane, position } = entered;
    const id = schoolOfEntry(stream)!;
    await settle(ports, id);
    const row = { ...state, settled: true, created_at: at, updated_at: at };
    return { body: shown(id, row), observed: { lane, position } };
  },
});

/** Lists the schools of the platform, oldest first, as of now. */
export const listSchools = operation({
  id: 'listSchools',
  method: 'GET',
  path: '/internal/schools',
  area: 'school',
  summary: 'List schools',
  anonymous: false,
  query: z.strictObject(listQuery),
  status: 200,
  reply: listOf(provisionedSchool),
  async handle({ page }, { documents, log }) {
    const lane = log.laneOf(platformTenant);
    const position = await log.head(lane);
    await documents.waitFor(directory, 'school', lane, position, 2_000);
    const sort = { field: 'created_at' } as const;
    const found = await documents.query(directory, platformTenant, { sort, ...page });
    return { ...listReply(found, ({ id, body }) => shown(id, body), sort), observed: { lane, position } };
  },
});
