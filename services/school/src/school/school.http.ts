import { fold } from '@lyceum/eventlog';
import { Problem, operation } from '@lyceum/web';
import { z } from 'zod';
import { school } from './school.ts';

const schoolReply = z
  .object({
    id: z.string().meta({ example: 'school_0195a3c2-7d10-7abc-8def-0123456789ab' }),
    object: z.literal('school'),
    name: z.string().meta({ example: 'Lantern Craft School' }),
    primary_domain: z
      .string()
      .meta({ description: 'Host, with the port unless it is the default.', example: 'lantern.example' }),
    base_url: z.string().meta({ description: 'Origin and issuer.', example: 'https://lantern.example' }),
    locale: z.string().meta({ description: 'BCP 47.', example: 'en' }),
    timezone: z.string().meta({ description: 'IANA name.', example: 'Europe/Lisbon' }),
    currency: z.string().meta({ description: 'ISO 4217.', example: 'USD' }),
    slug: z.string().meta({ sees: 'staff', description: 'Name on the platform.', example: 'lantern-craft' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    version: z.int().min(1).meta({ description: 'Also the ETag.' }),
  })
  .meta({ id: 'School', description: 'The school itself.' });

/** The school that the request is for, read from its events. */
export const getSchool = operation({
  id: 'getSchool',
  method: 'GET',
  path: '/api/school',
  area: 'school',
  summary: 'Read the school',
  description: 'Name, address, locale, time zone and currency of this school. Staff also see its slug.',
  scope: 'school:read',
  anonymous: true,
  status: 200,
  reply: schoolReply,
  async handle(call, { log }) {
    const { state, version, lane, position } = await fold(log, school, call.school, call.school);
    if (!state) throw new Problem('not_found', 'There is no school at this address');
    const { name, host, base_url, locale, timezone, currency, slug, provisioned_at, changed_at } = state;
    const body = {
      id: call.school,
      object: 'school',
      name,
      primary_domain: host,
      base_url,
      locale,
      timezone,
      currency,
      slug,
      created_at: provisioned_at,
      updated_at: changed_at,
      version,
    };
    return { body, version, observed: { lane, position } };
  },
});
