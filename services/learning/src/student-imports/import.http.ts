import { fold } from '@lyceum/eventlog';
import { heads } from '@lyceum/service';
import {
  type Call,
  type Operation,
  type Ports,
  Problem,
  type StatusTable,
  accepted,
  asOf,
  attempt,
  filterConditions,
  given,
  listFilters,
  listOf,
  listReply,
  operation,
  orderOf,
} from '@lyceum/web';
import { z } from 'zod';
import { importOf, studentImports } from './import.projection.ts';
import { reasonOf } from './import.reasons.ts';
import { importParams, importReply, rowErrorList, rowErrorQuery } from './import.schema.ts';
import { importStatuses } from './import.state.ts';
import { type ImportCode, importDecider } from './import.ts';
import { importDocument } from './import.view.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const importRejections = {
  not_found: 404,
  invalid_state: 409,
  import_running: 409,
} as const satisfies StatusTable<ImportCode>;

/** Where imports are. */
export const importsPath = '/api/student_imports';
const path = importsPath;
const one = `${path}/{import}`;
const area = 'students';
const reading = { area, scope: 'students:read', anonymous: true, roles: heads, method: 'GET', status: 200 } as const;

type OfImport = Pick<Call, 'school' | 'principal'> & { readonly params: { readonly import: string } };

/** The import that a path names, as of now. Throws 404 when there is none, and for callers without a token. */
async function load({ school, principal, params }: OfImport, { log }: Pick<Ports, 'log'>) {
  if (!principal) throw new Problem('not_found');
  const { state, ...found } = await fold(log, importDecider, school, params.import);
  if (!state) throw new Problem('not_found');
  return { ...found, state };
}

const list = operation({
  ...reading,
  id: 'listStudentImports',
  path,
  summary: 'List imports of students',
  description:
    'For owners and admins, newest first; without a token the list is empty. The list follows writes with a short delay: see Consistency-Token.',
  readModel: studentImports,
  query: z.strictObject({ ...listFilters, status: z.enum(importStatuses).optional() }),
  reply: listOf(importReply),
  async handle(call, { documents }) {
    const sort = orderOf(call.query);
    if (!call.principal) return listReply({ items: [], more: false }, () => undefined, sort);
    const where = [...given(call.query.status, (is) => ({ field: 'status', is })), ...filterConditions(call.query)];
    const page = await documents.query(studentImports, call.school, { where, sort, ...call.page });
    return listReply(page, ({ id, body }) => importDocument(id, importOf(body), call.view), sort);
  },
});

const get = operation({
  ...reading,
  id: 'getStudentImport',
  path: one,
  summary: 'Read an import of students',
  description: 'How far it is, as of now.',
  params: importParams,
  reply: importReply,
  async handle(call, ports) {
    const { state, ...found } = await load(call, ports);
    return { body: importDocument(call.params.import, state, call.view), ...asOf(found) };
  },
});

const listErrors = operation({
  ...reading,
  id: 'listStudentImportErrors',
  path: `${one}/errors`,
  summary: 'List the rows that an import left out',
  description: 'By line, as of now: which row, and why. What stands in it is not kept.',
  params: importParams,
  query: rowErrorQuery,
  reply: rowErrorList,
  async handle(call, ports) {
    const { state } = await load(call, ports);
    const { limit, after } = call.page;
    const from = Number(after?.value ?? 0);
    const rest = state.errors.filter(({ line }) => line > from);
    const items = rest.slice(0, limit).map(({ line, code, course_id = null }) => ({
      id: String(line),
      body: { object: 'row_error', line, code, reason: reasonOf(code), course_id, view: call.view },
    }));
    return listReply({ items, more: rest.length > limit }, ({ body }) => body, { field: 'line' });
  },
});

const cancel = operation({
  area,
  scope: 'students:write',
  anonymous: false,
  roles: heads,
  id: 'cancelStudentImport',
  method: 'POST',
  path: `${one}/cancel`,
  summary: 'Cancel an import of students',
  description:
    'Rows that were worked on stay as they are; the others are forgotten. A few that are being worked on may still follow.',
  params: importParams,
  status: 200,
  reply: importReply,
  errors: ['invalid_state', 'not_found'],
  async handle(call, ports) {
    const id = call.params.import;
    const by = call.principal?.subject ?? '';
    const done = accepted(
      await attempt(call, ports, importDecider, id, { type: 'CancelImport', by }),
      importRejections,
    );
    if (!done.state) throw new Error('a command to an import left none');
    return { body: importDocument(id, done.state, call.view), ...asOf(done) };
  },
});

/** What is read of imports, and their end. */
export const importOperations: readonly Operation[] = [list, get, listErrors, cancel];
