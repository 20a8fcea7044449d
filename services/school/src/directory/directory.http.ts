import { isRejection } from '@lyceum/kernel';
import {
  type Call,
  type Ports,
  Problem,
  type StatusTable,
  listOf,
  listQuery,
  listReply,
  operation,
  problemOf,
} from '@lyceum/web';
import { z } from 'zod';
import { directory, directoryRow } from './directory.projection.ts';
import { type EntryRejection, platformTenant, schoolOfEntry } from './entry.ts';
import { placed, placeProfile } from './place-profile.ts';
import { enter, settle } from './provisioning.ts';

const rejections = { slug_taken: 409, host_taken: 409, not_found: 404 } as const satisfies StatusTable<EntryRejection>;

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
  body: placeProfile,
  reply: provisionedSchool,
  errors: ['slug_taken', 'host_taken'],
  async handle({ body, commit, meta, at }: Call<{ body: typeof placeProfile }>, ports) {
    const command = { type: 'AdmitSchool', school: ports.ids.next('school'), profile: placed(body) } as const;
    const entered = await enter(ports, command.school, command, { meta, commit });
    if (isRejection(entered)) throw problemOf(entered, rejections);
    const { stream, state, lane, position } = entered;
    const id = schoolOfEntry(stream)!;
    await settle(ports, id);
    const row = { ...state, settled: true, created_at: at, updated_at: at };
    return { body: shown(id, row), observed: { lane, position } };
  },
});

/** Waits until the directory tells what is written up to now; gives how far that is. */
async function upToNow({ documents, log }: Pick<Ports, 'documents' | 'log'>) {
  const lane = log.laneOf(platformTenant);
  const position = await log.head(lane);
  await documents.waitFor(directory, 'school', lane, position, 2_000);
  return { lane, position };
}

const schoolParams = z.object({ school: z.string().max(100).meta({ description: 'Id of the school' }) });

/** Reads one school of the platform, as of now. */
export const readSchool = operation({
  id: 'readSchool',
  method: 'GET',
  path: '/internal/schools/{school}',
  area: 'school',
  summary: 'Read a school',
  anonymous: false,
  params: schoolParams,
  status: 200,
  reply: provisionedSchool,
  errors: ['not_found'],
  async handle({ params: { school } }, ports) {
    const observed = await upToNow(ports);
    const found = await ports.documents.get(directory, platformTenant, school);
    if (!found) throw new Problem('not_found', 'There is no such school');
    return { body: shown(school, found), observed };
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
  async handle({ page }, ports) {
    const observed = await upToNow(ports);
    const sort = { field: 'created_at' } as const;
    const found = await ports.documents.query(directory, platformTenant, { sort, ...page });
    return { ...listReply(found, ({ id, body }) => shown(id, body), sort), observed };
  },
});
