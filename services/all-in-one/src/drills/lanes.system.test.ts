import { afterEach, expect, jest, test } from '@jest/globals';
import { Installation } from '../testing/drills/installation.ts';
import { docs } from '../testing/drills/page.ts';

// Two starts of a real process; a busy machine needs patience.
jest.setTimeout(240_000);

let machine: Installation | undefined;
afterEach(async () => machine?.remove());

const page = await docs('drills/more-lanes');

test('docs/drills/more-lanes.md: a start with another number of lanes is refused with the number that there is, and changes nothing', async () => {
  machine = await Installation.installed((settings) => `${settings}LANES=3\n`);
  await machine.start();
  await machine.stop();
  await machine.run('sed -i /^LANES=/d "$ETC/lyceum.env"');
  const { printed, told } = await page.run('It is refused', machine);
  expect(printed).toContain('--check ended with 1');
  expect(printed).toContain('the start ended with 1');
  const words = printed + told;
  expect(words.match(/3 lanes/g)!.length).toBeGreaterThanOrEqual(2);
  expect(words.match(/The lanes of a log are for ever: unset LANES/g)!.length).toBeGreaterThanOrEqual(2);
  expect(page.left).toEqual([]);
  await machine.start();
  const lanes = await machine.rows<{ readonly service: string }>('lanes');
  expect(lanes.filter(({ service }) => service === 'catalog')).toHaveLength(3);
});
