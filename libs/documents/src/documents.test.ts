import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { memoryDocuments } from './memory/memory.ts';
import { sqliteDocuments } from './sqlite/sqlite.ts';
import { testDocuments } from './testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'lyceum-documents-'));
afterAll(() => rmSync(folder, { recursive: true }));

testDocuments('memory', async () => memoryDocuments(), { keeps: false });
testDocuments('sqlite', (place) => sqliteDocuments({ file: join(folder, `${place}.db`) }), { keeps: true });
