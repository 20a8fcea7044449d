import { afterEach, describe, expect, test } from '@jest/globals';
import { type Engines, enginesOf, type ServiceUnderTest, serviceUnderTest } from '@lyceum/testkit-service';
import { setTimeout as pause } from 'node:timers/promises';
import { content } from '../module.ts';

const running: ServiceUnderTest[] = [];
afterEach(async () => void (await Promise.all(running.splice(0).map((service) => service.close()))));

async function start(engines: Engines = enginesOf(content)): Promise<ServiceUnderTest> {
  const service = await serviceUnderTest(content, { engines, ports: { timerPoll: 20 } });
  running.push(service);
  return service;
}

async function stop(service: ServiceUnderTest): Promise<void> {
  running.splice(running.indexOf(service), 1);
  await service.close();
}

const minute = 60_000;
const inMinutes = ({ clock }: ServiceUnderTest, count: number): string =>
  new Date(clock.now() + count * minute).toISOString();

const areas = ['pages', 'posts'] as const;

/** Creates a draft that is published by itself in ten minutes. */
async function waiting(service: ServiceUnderTest, area: (typeof areas)[number]): Promise<string> {
  const { body } = await service.call('POST', `/api/${area}`, { body: { title: 'Tomorrow' } });
  const scheduled_for = inMinutes(service, 10);
  const got = await service.call('POST', `/api/${area}/${body.id}/schedule`, { body: { scheduled_for } });
  expect(got.body).toMatchObject({ status: 'scheduled', scheduled_for });
  await service.settled();
  return `/api/${area}/${body.id}`;
}

/** Lets timers be looked at for a while. */
async function looked(service: ServiceUnderTest): Promise<void> {
  await pause(150);
  await service.settled();
}

/** Waits until something that is scheduled was published. */
async function published(service: ServiceUnderTest, path: string): Promise<void> {
  for (let left = 400; left > 0; left -= 1) {
    await service.settled();
    if ((await read(service, path)).status === 'published') return;
    await pause(25);
  }
  throw new Error(`${path} is not published`);
}

const read = async (service: ServiceUnderTest, path: string) => (await service.call('GET', path)).body;

describe.each(areas)('what is scheduled: %s', (area) => {
  test('is published once, at its minute, as its draft is then', async () => {
    const service = await start();
    const path = await waiting(service, area);
    service.clock.advance(10 * minute - 1);
    await looked(service);
    expect((await read(service, path)).status).toBe('scheduled');
    await service.call('PATCH', path, { body: { title: 'Today' } });
    service.clock.advance(1);
    await published(service, path);
    await looked(service);
    const page = await read(service, path);
    expect(page).toMatchObject({ status: 'published', scheduled_for: null, title: 'Today' });
    expect(page.revisions).toEqual([{ revision: 1, published_at: page.published_at }]);
    expect(page.published_at).toBe(new Date(service.clock.now()).toISOString());
  });

  test('is published late, once, after an outage of an hour', async () => {
    const engines = enginesOf(content);
    const first = await start(engines);
    const path = await waiting(first, area);
    await stop(first);
    engines.clock.advance(70 * minute);
    const second = await start(engines);
    await published(second, path);
    expect((await read(second, path)).revisions).toHaveLength(1);
    await stop(second);
    const third = await start(engines);
    await looked(third);
    expect(await read(third, path)).toMatchObject({ status: 'published', revisions: [{ revision: 1 }] });
  });

  test('is published once where two processes look after it', async () => {
    const engines = enginesOf(content);
    const [one, two] = [await start(engines), await start(engines)];
    const path = await waiting(one, area);
    engines.clock.advance(10 * minute);
    await Promise.all([published(one, path), published(two, path)]);
    await Promise.all([looked(one), looked(two)]);
    expect((await read(two, path)).revisions).toHaveLength(1);
  });

  test('waits for its new time when that was moved, and for nothing when it was called off', async () => {
    const service = await start();
    const [moved, off] = [await waiting(service, area), await waiting(service, area)];
    await service.call('POST', `${moved}/schedule`, { body: { scheduled_for: inMinutes(service, 30) } });
    expect((await service.call('POST', `${off}/schedule`, { body: { scheduled_for: null } })).body.status).toBe(
      'draft',
    );
    service.clock.advance(10 * minute);
    await looked(service);
    expect([(await read(service, moved)).status, (await read(service, off)).status]).toEqual(['scheduled', 'draft']);
    service.clock.advance(20 * minute);
    await published(service, moved);
    await looked(service);
    expect([(await read(service, moved)).status, (await read(service, off)).status]).toEqual(['published', 'draft']);
  });
});
