import { hash } from 'node:crypto';
import { heads } from '@lyceum/service';
import { type Call, Problem, accepted, asOf, attempt, operation } from '@lyceum/web';
import { csvRows } from './import.csv.ts';
import { importRejections, importsPath } from './import.http.ts';
import { packRows } from './import.kept.ts';
import { type GivenRow, judgeRows } from './import.rows.ts';
import { importBody, importQuery, importReply } from './import.schema.ts';
import { importDecider } from './import.ts';
import { importDocument } from './import.view.ts';

/** Bytes of a file or of JSON: as much as the gateway passes on. */
const largest = 1024 * 1024;

type Requesting = Call<{ query: typeof importQuery; body: typeof importBody }>;

/** All bytes of a file. Throws 413 when there are too many, once all have come: the client reads no answer before. */
async function bytesOf(incoming: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of incoming) {
    size += part.length;
    if (size <= largest) parts.push(part);
  }
  if (size > largest) throw new Problem('payload_too_large', `A file has at most ${largest} bytes`);
  return Buffer.concat(parts);
}

/** The rows of a call, and a digest of a file: it is no part of the fingerprint otherwise. */
async function given({ incoming, body }: Requesting) {
  if (!incoming) return { source: 'json', rows: body.rows.map((row, index) => ({ ...row, line: index + 1 })) };
  const bytes = await bytesOf(incoming);
  return { source: 'csv', rows: csvRows(bytes), digest: hash('sha256', bytes, 'base64url') };
}

/** The commit of the call; with a key, what is in the file counts too. */
const commitOf = ({ commit }: Requesting, digest: string | undefined): Call['commit'] =>
  commit.fingerprint === '' || digest === undefined
    ? commit
    : { ...commit, fingerprint: `${commit.fingerprint} ${digest}` };

/** Begins an import. */
export const requestImport = operation({
  area: 'students',
  scope: 'students:write',
  anonymous: false,
  roles: heads,
  id: 'importStudents',
  method: 'POST',
  path: importsPath,
  summary: 'Import students',
  description:
    'Invites by e-mail whoever is no member, and enrolls everybody in the courses of their row, or in `course_ids`. CSV (UTF-8, with a header, columns `email`, `name` and `course_ids`; several ids in one cell are separated by spaces) or JSON; at most 5,000 rows and 1 MiB. It goes on by itself: the answer says where to look. What is wrong with a row is an error of that row. One import of a school runs at a time. Rows are kept encrypted until it is over, and no longer.',
  query: importQuery,
  body: importBody,
  takes: 'text/csv',
  bodyLimit: largest,
  status: 202,
  reply: importReply,
  errors: ['import_running'],
  async handle(call: Requesting, ports) {
    const {
      source,
      rows: sent,
      digest,
    }: { source: string; rows: readonly GivenRow[]; digest?: string } = await given(call);
    const { rows, refused } = judgeRows(sent, call.query.course_ids ?? []);
    const id = ports.ids.next('import');
    const { expires_at } = call.query;
    const request = {
      requested_by: call.principal?.subject ?? '',
      source,
      rows: rows.length,
      refused: [...refused],
      ...(expires_at === undefined ? {} : { expires_at }),
    };
    const commit = commitOf(call, digest);
    const command = { type: 'RequestImport', id, request, kept: packRows(rows) } as const;
    const done = accepted(await attempt({ ...call, commit }, ports, importDecider, id, command), importRejections);
    if (!done.state) throw new Error('a request of an import left none');
    const headers = { Location: `${importsPath}/${done.stream}` };
    return { body: importDocument(done.stream, done.state, call.view), headers, ...asOf(done) };
  },
});
