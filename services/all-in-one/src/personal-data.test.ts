import { expect, test } from '@jest/globals';
import { servicesOfPeople } from '@lyceum/contracts';
import { catalogueOf } from '@lyceum/eventlog';
import type { AnyModule } from '@lyceum/service';
import { services } from './services.ts';

type Area = NonNullable<AnyModule['areas']>[number];

/** A field of an event is marked as personal, or people are erased from a read model. */
const keepsPersonal = ({ events, projections = [] }: Area): boolean =>
  projections.some(({ erase }) => erase !== undefined) || (events !== undefined && catalogueOf([events]).size > 0);

const all = services.flatMap(({ name, areas = [] }) => areas.map((area) => ({ service: name, ...area })));

const silentOf = (areas: typeof all) => areas.filter((area) => keepsPersonal(area) && area.personalData === undefined);

test('every area that keeps what is personal says in personalData what people get of it', () => {
  expect(silentOf(all).map(({ service, name }) => `${service}/${name}`)).toEqual([]);
  // Each of them would be found.
  const speaking = all.filter(keepsPersonal);
  const silenced = speaking.map(({ personalData: _said, ...area }) => area);
  expect([silentOf(silenced).length, speaking.length > 5]).toEqual([speaking.length, true]);
});

test('no two areas of a service give a file of one name', () => {
  const files = all.flatMap(({ service, personalData = [] }) => personalData.map(({ file }) => `${service}/${file}`));
  expect(new Set(files).size).toBe(files.length);
});

test('every service that has areas is asked', () => {
  const asked = services.filter(({ areas = [] }) => areas.length > 0).map(({ name }) => name);
  expect(asked.sort()).toEqual([...servicesOfPeople]);
});
