import { errors, mediaPaths } from '@lyceum/contracts';

type Json = Readonly<Record<string, unknown>>;

const error = (status: number): Json => ({
  description: Object.entries(errors)
    .filter(([, entry]) => entry.status === status)
    .map(([code, { means }]) => `${code}: ${means}`)
    .join('. '),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

const refused = (...statuses: readonly number[]): Json =>
  Object.fromEntries(statuses.map((status) => [String(status), error(status)]));

const text = (name: string, description: string, place = 'header'): Json => ({
  name,
  in: place,
  description,
  required: place === 'path',
  schema: { type: 'string' },
});

const offset: Json = {
  'Upload-Offset': { description: 'How many bytes have arrived.', schema: { type: 'integer' } },
};

const bytes: Json = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };

const reading = (operationId: string, summary: string, description: string, path: Json): Json => ({
  operationId,
  summary,
  description,
  tags: ['storage'],
  security: [],
  parameters: [path, text('Range', 'One range of bytes.'), text('If-Range', 'The ETag that the range is of.')],
  responses: {
    200: { description: 'The file, of the type that its content has.', content: bytes },
    206: { description: 'The range of it.', content: bytes },
    304: { description: 'If-None-Match has its ETag.' },
    ...refused(404, 410, 412, 416),
  },
});

const signed = text('signed', 'As the upload gives it.', 'path');

const sending: Json = {
  operationId: 'sendUploadBytes',
  summary: 'Send the bytes of an upload',
  description:
    'At the address that the upload gives. All at once, or in parts, each with its Content-Range behind those before. A part that breaks off stays as far as it came: HEAD tells in Upload-Offset where to go on. A request takes five minutes at most.',
  tags: ['storage'],
  security: [],
  parameters: [signed, text('Content-Range', 'bytes first-last/size; all bytes when absent.')],
  requestBody: { required: true, content: bytes },
  responses: { 204: { description: 'They are on the disk.', headers: offset }, ...refused(400, 404, 409, 410, 413) },
};

const asking: Json = {
  operationId: 'countUploadBytes',
  summary: 'Ask how many bytes of an upload have arrived',
  description: 'Where an upload goes on that broke off.',
  tags: ['storage'],
  security: [],
  parameters: [signed],
  responses: { 204: { description: 'Upload-Offset says it.', headers: offset }, 404: error(404), 410: error(410) },
};

const paths: Json = {
  [`${mediaPaths.sending}/{signed}`]: { put: sending, head: asking },
  [`${mediaPaths.privateFiles}/{signed}`]: {
    get: reading(
      'readPrivateFile',
      'Read a private file',
      'By an address that somebody got who may read it.',
      text('signed', 'As a reply gives it, for a while.', 'path'),
    ),
  },
  [`${mediaPaths.publicFiles}/{file}`]: {
    get: reading(
      'readPublicFile',
      'Read a public file',
      'A cover or another image that everybody may see.',
      text('file', 'The id of the upload.', 'path'),
    ),
  },
};

/** The OpenAPI document of the operations with the endpoints for bytes added. */
export const describeBytes = (operations: Json): Record<string, unknown> => ({
  ...operations,
  paths: { ...(operations['paths'] as Json), ...paths },
});
