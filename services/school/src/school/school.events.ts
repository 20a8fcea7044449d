import { type EventOf, type EventTypes, ofStream, personal } from '@lyceum/kernel';
import { z } from 'zod';

/** Where a school is found: `host` as browsers send it (with the port unless it is the scheme's own), `base_url` its origin. */
export const schoolAddress = z.object({
  host: z.string().min(1).max(255),
  base_url: z.string().min(1).max(300),
});

/** What a school is provisioned with. */
export const schoolProfile = schoolAddress.extend({
  slug: z.string().min(3).max(80),
  name: z.string().min(1).max(200),
  currency: z.string().length(3),
  timezone: z.string().min(1).max(64),
  locale: z.string().min(2).max(35),
  owner_email: z.string().max(254).optional(),
});

/** A profile in an event: the owner's address is personal, about the subject that the school's id stands for. */
export const profileAbout = (subject: string) =>
  schoolProfile.extend({ owner_email: personal(z.string().max(254), subject).optional() });

/** A profile as an event tells it, without the address of an owner who is erased. */
export function profileIn<Told extends { readonly owner_email?: string | null | undefined }>({
  owner_email,
  ...rest
}: Told): Omit<Told, 'owner_email'> & { readonly owner_email?: string } {
  return owner_email === null || owner_email === undefined ? rest : { ...rest, owner_email };
}

/** Who may open an account at a school: anybody, or those who are invited. */
export const signUps = ['open', 'invited'] as const;

/** The facts of a school, in its own tenant. */
export const schoolEvents = {
  SchoolProvisioned: { version: 1, data: profileAbout(ofStream) },
  SchoolMoved: { version: 1, data: schoolAddress },
  /** Who may open an account from now on; at first those who are invited. */
  SchoolSignUpSet: { version: 1, data: z.object({ sign_up: z.enum(signUps) }) },
} as const satisfies EventTypes;

/** An event of a school. */
export type SchoolEvent = EventOf<typeof schoolEvents>;

/** What a school is provisioned with. */
export type SchoolProfile = z.output<typeof schoolProfile>;
