import { expect, test } from '@jest/globals';
import { png } from '../testing.ts';
import { contentTypeOf, looked } from './content-type.ts';

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

async function typeOf(content: string | Buffer, type = 'image/png'): Promise<string | undefined> {
  const begin = Buffer.from(content).subarray(0, looked);
  return contentTypeOf(begin, { type, texts: ['text/plain', 'text/csv'], packed: ['application/zip', docx] });
}

const emptyZip = Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)]);

test.each<[string, string | Buffer, string, string | undefined]>([
  ['an image, whatever is announced', png, 'application/pdf', 'image/png'],
  ['a PDF under the name of an image', '%PDF-1.7\n', 'image/png', 'application/pdf'],
  ['a page, which is text and nothing more', '<!doctype html><script>alert(1)</script>', 'text/html', 'text/plain'],
  ['a page announced as an image', '<html><body onload=alert(1)>', 'image/png', 'text/plain'],
  ['an SVG', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'image/png', 'application/xml'],
  ['a table', 'a,b\n1,2\n', 'text/csv', 'text/csv'],
  ['an archive announced as a document', emptyZip, docx, docx],
  ['an archive announced as an image', emptyZip, 'image/png', 'application/zip'],
  ['a program', Buffer.from('7f454c460201010000000000000000000200', 'hex'), 'text/plain', 'application/x-elf'],
  ['bytes without a mark', Buffer.from([0, 1, 2, 3, 0xff]), 'text/plain', undefined],
])('the type of %s is what its content says', async (_, content, announced, type) =>
  expect(await typeOf(content, announced)).toBe(type),
);

test('text is text where its beginning ends within a character', async () =>
  expect(await typeOf('ü'.repeat(4_000), 'text/plain')).toBe('text/plain'));

test('no more of an archive is unpacked than the bytes that are looked at', async () => {
  // A local file header that promises to inflate to gigabytes.
  const header = Buffer.alloc(30);
  header.write('PK\u0003\u0004');
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(0xff_ff_ff_00, 18);
  header.writeUInt32LE(0xff_ff_ff_00, 22);
  const name = Buffer.from('[Content_Types].xml');
  header.writeUInt16LE(name.length, 26);
  const before = process.memoryUsage().rss;
  await typeOf(Buffer.concat([header, name, Buffer.alloc(100_000, 0x78)]), docx);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
});
