import { describe, expect, test } from '@jest/globals';
import type { Message, Subscription } from '@lyceum/channel';
import { memoryEphemeral } from '@lyceum/ephemeral';
import { FakeClock } from '@lyceum/testkit';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parseAuthority } from './authority.ts';
import { followSchools } from './follow-schools.ts';
import type { HostTable } from './host-table.ts';

const at = (hosts: Pick<HostTable, 'at'>, text: string): string | undefined => hosts.at(parseAuthority(text)!)?.id;

/** A table of hosts, and the way facts get into it. */
function followed() {
  const problems: string[] = [];
  let subscription: Subscription | undefined;
  const waiting: (() => void)[] = [];
  const caughtUp = () => new Promise<void>((resolve) => waiting.push(resolve));
  const catchUp = async () => {
    for (const resolve of waiting.splice(0)) resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const channel = { subscribe: (given: Subscription) => ((subscription = given), { caughtUp }) };
  const logger = { error: (_line: unknown, message: string) => void problems.push(message) };
  const clock = new FakeClock();
  const { hosts } = followSchools({ channel, logger, clock, ephemeral: memoryEphemeral(clock) } as never);
  /** A lane begins in an epoch of the log. */
  const begin = (lane: number, epoch: string) => subscription!.from(lane, epoch);
  void begin(0, 'first');
  let position = 0;
  const tell = async (tenant: string, type: string, data: unknown, time = '2026-01-05T08:00:00.000Z', lane = 0) => {
    const previous = position;
    position += 1;
    const fact = { id: `fact_${position}`, type, schema: 1, subject: tenant, version: position, data };
    const message: Message = { source: 'school', lane, position, previous, tenant, at: time, facts: [fact] };
    // As it comes from elsewhere: no string of it is shared with anything.
    await subscription!.handle(JSON.parse(JSON.stringify(message)) as Message);
  };
  const handle = (message: Message) => subscription!.handle(message);
  return { hosts, problems, tell, handle, begin, catchUp };
}

const profile = { slug: 'a', name: 'A', currency: 'USD', locale: 'en', timezone: 'Europe/Lisbon' };
const placed = (host: string) => ({ ...profile, host, base_url: `https://${host}` });
const look = {
  palette: { accent: '#14605a', background: '#f2f4f1', surface: '#ffffff', text: '#17211e' },
  typography: 'serif',
  layout: 'card',
  dark_mode: 'auto',
};

function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

describe('following schools', () => {
  test('a hundred thousand schools with looks of their own fit in 60 MB, and each is found', async () => {
    const { hosts, handle, problems } = followed();
    const before = heapInUse();
    const shown = JSON.stringify({ ...look, revision: 1 }).slice(1, -1);
    for (let number = 0; number < 100_000; number += 1) {
      const host = `school-${number}.lyceum.example`;
      const told = `"host":"${host}","base_url":"https://${host}","slug":"school-${number}","name":"School ${number}"`;
      const facts = [
        `{"type":"SchoolProvisioned","data":{"currency":"USD","locale":"en","timezone":"Europe/Lisbon",${told}}}`,
        `{"type":"AppearancePublished","data":{${shown},"logo_text":"School ${number}"}}`,
      ];
      const id = `school_0195a3c2-7d10-7abc-8def-${String(number).padStart(12, '0')}`;
      // Every string comes by itself, as it does from elsewhere.
      await handle(
        JSON.parse(`{"tenant":"${id}","lane":0,"at":"2026-01-05T08:00:00.000Z","facts":[${facts.join()}]}`) as Message,
      );
    }
    expect((heapInUse() - before) / 1e6).toBeLessThan(60);
    expect(problems).toEqual([]);
    for (const number of [0, 4_711, 99_999])
      expect(at(hosts, `school-${number}.lyceum.example`)).toMatch(new RegExp(`${number}$`));
  }, 60_000);

  test('equal looks of many schools are one value', async () => {
    const { hosts, tell } = followed();
    for (const id of ['a', 'b']) {
      await tell(id, 'SchoolProvisioned', placed(`${id}.example`));
      await tell(id, 'AppearancePublished', { ...look, revision: 1, logo_text: null });
    }
    expect(hosts.byId('a')?.look).toBe(hosts.byId('b')?.look);
    expect(hosts.byId('a')?.look).toEqual({ ...look, logo_text: null });
  });

  test('whether anybody may open an account is known from the fact, and kept when the school moves', async () => {
    const { hosts, tell } = followed();
    await tell('a', 'SchoolProvisioned', placed('a.example'));
    expect(hosts.byId('a')?.isOpen).toBe(false);
    await tell('a', 'SchoolSignUpSet', { sign_up: 'open' });
    await tell('a', 'SchoolMoved', { host: 'b.example', base_url: 'https://b.example' });
    expect(hosts.byId('a')?.isOpen).toBe(true);
    await tell('a', 'SchoolSignUpSet', { sign_up: 'invited' });
    expect(hosts.byId('a')?.isOpen).toBe(false);
  });

  test('a school has the name and the language that it gave itself last, and they move along', async () => {
    const { hosts, tell } = followed();
    await tell('a', 'SchoolProvisioned', placed('a.example'));
    const before = hosts.byId('a');
    await tell('a', 'SchoolChanged', { tagline: 'Light' });
    expect(hosts.byId('a')).toBe(before);
    await tell('a', 'SchoolChanged', { name: 'B' });
    await tell('a', 'SchoolChanged', { locale: 'de-AT' });
    await tell('a', 'SchoolMoved', { host: 'b.example', base_url: 'https://b.example' });
    expect(hosts.byId('a')).toMatchObject({ name: 'B', language: 'de', baseUrl: 'https://b.example' });
    expect(at(hosts, 'b.example')).toBe('a');
  });

  test('a school that is suspended or closed is known as such, and keeps its address', async () => {
    const { hosts, tell } = followed();
    await tell('a', 'SchoolProvisioned', placed('a.example'));
    await tell('a', 'SchoolSuspended', {});
    await tell('a', 'SchoolMoved', { host: 'b.example', base_url: 'https://b.example' });
    expect([at(hosts, 'b.example'), hosts.byId('a')?.closure]).toEqual(['a', 'suspended']);
    await tell('a', 'SchoolResumed', {});
    expect(hosts.byId('a')?.closure).toBeUndefined();
    await tell('a', 'SchoolClosed', {});
    expect(hosts.byId('a')?.closure).toBe('closed');
  });

  test('readers between the facts of a hundred moves see each school at exactly one of its addresses', async () => {
    const { hosts, tell } = followed();
    await tell('a', 'SchoolProvisioned', placed('h0.example'));
    await tell('a', 'DomainVerified', { domain: 'academy.example' });
    const moved = new AbortController();
    const wrong: string[][] = [];
    const reader = async () => {
      while (!moved.signal.aborted) {
        const found = Array.from({ length: 101 }, (_, number) => `h${number}.example`).filter((host) =>
          at(hosts, host),
        );
        if (found.length !== 1 || at(hosts, 'academy.example') !== 'a') wrong.push(found);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const readers = Array.from({ length: 4 }, reader);
    for (let number = 1; number <= 100; number += 1) {
      const host = `h${number}.example`;
      await Promise.all([
        tell('a', 'SchoolMoved', { host, base_url: `https://${host}` }),
        new Promise((resolve) => setImmediate(resolve)),
      ]);
    }
    moved.abort();
    await Promise.all(readers);
    expect(wrong).toEqual([]);
    expect(at(hosts, 'h100.example')).toBe('a');
  });

  test('a log that was restored makes another table, which replaces the first one whole when every lane is in it', async () => {
    const { hosts, tell, begin, catchUp } = followed();
    await begin(1, 'first');
    await tell('a', 'SchoolProvisioned', placed('old-a.example'));
    await tell('b', 'SchoolProvisioned', placed('old-b.example'), undefined, 1);
    await tell('b', 'DomainVerified', { domain: 'academy.example' }, undefined, 1);
    const seen = () => ['old-a', 'old-b', 'academy', 'new-a', 'new-b'].filter((host) => at(hosts, `${host}.example`));
    const before = ['old-a', 'old-b', 'academy'];
    await begin(0, 'second');
    await tell('a', 'SchoolProvisioned', placed('new-a.example'));
    await catchUp();
    expect(seen()).toEqual(before);
    // The other lane has not noticed yet: what it still tells is of the table that serves.
    await tell('b', 'DomainRemoved', { domain: 'academy.example' }, undefined, 1);
    expect(seen()).toEqual(['old-a', 'old-b']);
    await begin(1, 'second');
    await tell('b', 'SchoolProvisioned', placed('new-b.example'), undefined, 1);
    expect(seen()).toEqual(['old-a', 'old-b']);
    await catchUp();
    expect(seen()).toEqual(['new-a', 'new-b']);
    await tell('b', 'DomainVerified', { domain: 'academy.example' }, undefined, 1);
    expect(seen()).toEqual(['academy', 'new-a', 'new-b']);
  });

  test('a school that came from elsewhere displaces nobody, however old its history is', async () => {
    const { hosts, handle, tell, problems } = followed();
    await tell('school_1', 'SchoolProvisioned', placed('quay.example'));
    const fact = {
      id: 'f',
      type: 'SchoolProvisioned',
      schema: 1,
      subject: 's',
      version: 1,
      data: placed('quay.example'),
    };
    const came = { at: '2020-01-01T00:00:00.000Z', arrived: '2026-02-01T00:00:00.000Z', facts: [fact] };
    await handle({ source: 'school', lane: 0, position: 2, previous: 1, tenant: 'school_2', ...came });
    expect(at(hosts, 'quay.example')).toBe('school_1');
    expect(problems).toEqual(['another school, school_1, answers at its address and keeps it']);
  });

  test('a school answers at a verified domain beside its own host, until the domain is removed', async () => {
    const { hosts, tell, problems } = followed();
    await tell('a', 'SchoolProvisioned', placed('a.example'));
    await tell('a', 'DomainVerified', { domain: 'academy.example' });
    expect([at(hosts, 'a.example'), at(hosts, 'Academy.example:443')]).toEqual(['a', 'a']);
    expect([at(hosts, 'www.academy.example'), at(hosts, 'academy.example:80')]).toEqual([undefined, undefined]);
    expect(hosts.isCustom(parseAuthority('academy.example')!)).toBe(true);
    expect(hosts.isCustom(parseAuthority('a.example')!)).toBe(false);
    await tell('a', 'DomainRemoved', { domain: 'academy.example' });
    expect([at(hosts, 'a.example'), at(hosts, 'academy.example')]).toEqual(['a', undefined]);
    expect(problems).toEqual([]);
  });

  test('facts about bad domains are logged and harm neither their school nor others', async () => {
    const { hosts, tell, problems } = followed();
    await tell('a', 'SchoolProvisioned', placed('a.example'));
    await tell('b', 'SchoolProvisioned', placed('b.example'));
    for (const domain of ['', 'two words', 'x.example:80', 'x.example.', 'X.example', '[::1', 42, null, undefined])
      await tell('b', 'DomainVerified', { domain });
    await tell('nobody', 'DomainVerified', { domain: 'x.example' });
    expect(problems).toEqual(Array.from({ length: 10 }, () => 'a school has no usable domain'));
    await tell('b', 'DomainRemoved', { domain: 7 });
    await tell('b', 'constructor', {});
    // The host of one school as the domain of another changes nothing, and what is told next is heard.
    await tell('b', 'DomainVerified', { domain: 'a.example' });
    await tell('b', 'DomainVerified', { domain: 'good.example' });
    const found = ['a.example', 'b.example', 'good.example', 'x.example'].map((host) => at(hosts, host));
    expect(found).toEqual(['a', 'b', 'b', undefined]);
    await tell('b', 'DomainRemoved', { domain: 'a.example' });
    expect(at(hosts, 'a.example')).toBe('a');
  });

  test('a domain that one school gave up and another proved belongs to the other, in either order of arrival', async () => {
    const domain = 'academy.example';
    const steps = [
      ['a', 'DomainVerified', '2026-01-01T00:00:00.000Z'],
      ['a', 'DomainRemoved', '2026-01-02T00:00:00.000Z'],
      ['b', 'DomainVerified', '2026-01-03T00:00:00.000Z'],
    ] as const;
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [2, 0, 1],
    ]) {
      const { hosts, tell } = followed();
      for (const id of ['a', 'b']) await tell(id, 'SchoolProvisioned', placed(`${id}.example`));
      for (const step of order) {
        const [id, type, time] = steps[step]!;
        await tell(id, type, { domain }, time);
      }
      expect(at(hosts, domain)).toBe('b');
    }
  });

  test('domains follow their school to the port that it moves to', async () => {
    const { hosts, tell } = followed();
    await tell('a', 'SchoolProvisioned', { ...placed('a.localhost:8080'), base_url: 'http://a.localhost:8080' });
    await tell('a', 'DomainVerified', { domain: 'academy.example' });
    expect([at(hosts, 'academy.example:8080'), at(hosts, 'academy.example')]).toEqual(['a', undefined]);
    await tell('a', 'SchoolMoved', { host: 'a.localhost:9000', base_url: 'http://a.localhost:9000' });
    expect([at(hosts, 'academy.example:8080'), at(hosts, 'academy.example:9000')]).toEqual([undefined, 'a']);
  });
});
