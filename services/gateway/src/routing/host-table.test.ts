import { describe, expect, test } from '@jest/globals';
import { parseAuthority } from './authority.ts';
import { HostTable } from './host-table.ts';
import { addSchool } from '../testing/test-edge.ts';

const at = (hosts: HostTable, text: string): string | undefined => hosts.at(parseAuthority(text)!)?.id;

describe('hosts', () => {
  test('a school on the default port answers with and without that port, and on no other', () => {
    const hosts = new HostTable();
    addSchool(hosts, { id: 'a', host: 'School.Example', base_url: 'https://school.example' });
    for (const spelled of [
      'school.example',
      'SCHOOL.example',
      'school.example.',
      'school.example:443',
      'school.example:',
    ])
      expect(at(hosts, spelled)).toBe('a');
    for (const other of ['school.example:80', 'school.example:8443', 'www.school.example', 'example'])
      expect(at(hosts, other)).toBeUndefined();
  });

  test('a school on another port answers on that port only', () => {
    const hosts = new HostTable();
    addSchool(hosts, { id: 'a', host: 'northquay.localhost', base_url: 'http://northquay.localhost:8080' });
    expect(at(hosts, 'NorthQuay.localhost:8080')).toBe('a');
    expect(at(hosts, 'northquay.localhost')).toBeUndefined();
    expect(at(hosts, 'northquay.localhost:8081')).toBeUndefined();
  });

  test('the host that a school was given works beside the one in its base URL', () => {
    const hosts = new HostTable();
    addSchool(hosts, { id: 'a', host: 'lantern.test', base_url: 'http://127.0.0.1:8080' });
    expect([at(hosts, 'lantern.test:8080'), at(hosts, '127.0.0.1:8080')]).toEqual(['a', 'a']);
  });

  test('a school at 127.0.0.1 answers at localhost and [::1] too, but at no name below localhost', () => {
    const hosts = new HostTable();
    addSchool(hosts, { id: 'a', host: '127.0.0.1', base_url: 'http://127.0.0.1:8080' });
    for (const spelled of [
      '127.0.0.1:8080',
      'localhost:8080',
      'LOCALHOST.:8080',
      '[::1]:8080',
      '[0:0:0:0:0:0:0:1]:8080',
    ])
      expect(at(hosts, spelled)).toBe('a');
    for (const other of ['other.localhost:8080', 'localhost', 'localhost:8081', '127.0.0.2:8080', '0.0.0.0:8080'])
      expect(at(hosts, other)).toBeUndefined();
  });

  test("a school's own host goes before another's loopback alias, whichever came first", () => {
    for (const order of [
      ['127.0.0.1', 'localhost'],
      ['localhost', '127.0.0.1'],
    ]) {
      const hosts = new HostTable();
      for (const host of order) addSchool(hosts, { id: host, host, base_url: `http://${host}:8080` });
      expect([at(hosts, '127.0.0.1:8080'), at(hosts, 'localhost:8080')]).toEqual(['127.0.0.1', 'localhost']);
    }
  });

  test('a school that moved answers at the new host and no longer at the old one', () => {
    const hosts = new HostTable();
    addSchool(hosts, { id: 'a', host: 'old.example', base_url: 'https://old.example' });
    addSchool(hosts, { id: 'a', host: 'new.example', base_url: 'https://new.example', at: '2026-02-01T00:00:00.000Z' });
    expect([at(hosts, 'old.example'), at(hosts, 'new.example')]).toEqual([undefined, 'a']);
  });

  test('while two schools claim a host, the first holder keeps it until it releases it, in either order of arrival', () => {
    const early = { id: 'a', host: 'h.example', base_url: 'https://h.example', at: '2026-01-01T00:00:00.000Z' };
    const late = { ...early, id: 'b', at: '2026-01-03T00:00:00.000Z' };
    for (const order of [
      [early, late],
      [late, early],
    ]) {
      const hosts = new HostTable();
      for (const facts of order) addSchool(hosts, facts);
      expect(at(hosts, 'h.example')).toBe('a');
      addSchool(hosts, { ...early, at: '2026-01-04T00:00:00.000Z' });
      expect(at(hosts, 'h.example')).toBe('a');
      addSchool(hosts, { ...early, host: 'n.example', base_url: 'https://n.example', at: '2026-01-05T00:00:00.000Z' });
      expect(at(hosts, 'h.example')).toBe('b');
    }
  });

  test('a host that one school left and another took belongs to the other, in every order of arrival', () => {
    const left = { id: 'a', host: 'h.example', base_url: 'https://h.example', at: '2026-01-01T00:00:00.000Z' };
    const moved = { id: 'a', host: 'n.example', base_url: 'https://n.example', at: '2026-01-02T00:00:00.000Z' };
    const took = { id: 'b', host: 'h.example', base_url: 'https://h.example', at: '2026-01-03T00:00:00.000Z' };
    for (const order of [
      [left, moved, took],
      [left, took, moved],
      [took, left, moved],
    ]) {
      const hosts = new HostTable();
      for (const facts of order) addSchool(hosts, facts);
      expect([at(hosts, 'h.example'), at(hosts, 'n.example')]).toEqual(['b', 'a']);
    }
  });
});
