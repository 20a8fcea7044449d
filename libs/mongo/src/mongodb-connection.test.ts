import { describe, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { clientOptions, engineOf, openMongo } from './mongodb-connection.ts';
import { failureOf } from './mongodb-failure.ts';

describe('the options of a connection', () => {
  test('the driver neither retries nor waits longer than two seconds for a server', async () => {
    const { options } = new MongoClient('mongodb://127.0.0.1:1/', clientOptions({ url: '' }));
    expect(options).toMatchObject({
      retryWrites: false,
      retryReads: false,
      serverSelectionTimeoutMS: 1_500,
    });
    expect(options.tls ?? false).toBe(false);
  });

  test('TLS comes from the URL or from the settings, with the authorities and the certificate of a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lyceum-mongo-'));
    const file = join(folder, 'ca.pem');
    await writeFile(file, 'pem');
    const parsed = (url: string, tls = {}) => new MongoClient(url, clientOptions({ url, ...tls })).options;
    expect(parsed(`mongodb://db.test/?tls=true&tlsCAFile=${encodeURIComponent(file)}`)).toMatchObject({
      tls: true,
      tlsCAFile: file,
    });
    expect(parsed('mongodb://db.test/', { tls: { caFile: file, certificateKeyFile: file } })).toMatchObject({
      tls: true,
      tlsCAFile: file,
      tlsCertificateKeyFile: file,
    });
    await rm(folder, { recursive: true });
  });

  test('servers are told apart by what they say of themselves', () => {
    expect(engineOf({ setName: 'rs0' }, { version: '8.0.0' })).toBe('replica-set');
    expect(engineOf({ msg: 'isdbgrid' }, { version: '8.0.0' })).toBe('replica-set');
    expect(engineOf({}, { version: '7.0.0' })).toBe('standalone');
    expect(engineOf({}, { version: '7.0.42', ferretdbVersion: 'v1.24.2' })).toBe('ferretdb-1');
    expect(engineOf({}, { version: '7.0.77', ferretdbVersion: 'v2.5.0' })).toBe('standalone');
  });
});

describe('failures', () => {
  test('a server that is not there is an error within three seconds, and nothing was sent', async () => {
    const began = Date.now();
    const error = await openMongo({ url: 'mongodb://127.0.0.1:1/' }).catch((reason: unknown) => reason);
    expect(failureOf(error)).toBe('unsent');
    expect(Date.now() - began).toBeLessThan(3_000);
  });

  test('only an error that comes before sending counts as unsent', () => {
    const named = (name: string, more = {}) => Object.assign(new Error('x'), { name, ...more });
    expect(failureOf(Object.assign(new Error('E11000'), { code: 11_000 }))).toBe('duplicate');
    expect(failureOf(named('MongoPoolClearedError'))).toBe('unsent');
    expect(failureOf(named('MongoNetworkError', { cause: Object.assign(new Error(), { syscall: 'connect' }) }))).toBe(
      'unsent',
    );
    expect(failureOf(named('MongoNetworkError', { beforeHandshake: true }))).toBe('unsent');
    for (const name of ['MongoNetworkError', 'MongoPoolClearedOnNetworkError', 'MongoServerError'])
      expect(failureOf(named(name))).toBe('unknown');
    expect(failureOf(undefined)).toBe('unknown');
  });
});
