import type { Message } from '@lyceum/channel';

const at = '2026-01-01T00:00:00.000Z';

/** The history of a school service that has opened these schools: the currency of each by its id. */
export const provisionedSchools =
  (schools: Readonly<Record<string, string>>) =>
  (lane: number, after: number): Promise<readonly Message[]> =>
    Promise.resolve(
      Object.entries(schools)
        .map(([id, currency], index) => provisioned(id, currency, lane, index))
        .filter(({ position }) => position > after),
    );

const provisioned = (tenant: string, currency: string, lane: number, previous: number): Message => ({
  source: 'school',
  lane,
  position: previous + 1,
  previous,
  tenant,
  at,
  facts: [
    {
      id: `fact_${tenant}`,
      type: 'SchoolProvisioned',
      schema: 1,
      subject: tenant,
      version: 1,
      data: { slug: tenant, name: tenant, host: tenant, base_url: '', currency, locale: 'en', timezone: 'UTC' },
    },
  ],
});
