import { changesIn } from '@lyceum/service';
import type { z } from 'zod';
import type { addLecturerBody, changeLecturerBody } from './lecturer.schema.ts';
import type { Known } from './lecturer.ts';

const blank: Omit<Known, 'display_name'> = {
  title: '',
  bio: '',
  avatar: '',
  links: [],
  contact_email: '',
  position: 0,
};

type Changes = Partial<Known> & { readonly slug?: string };

/** The changes that a merge patch asks for. What null clears becomes empty. */
export const changesOf = (body: z.output<typeof changeLecturerBody>): Changes => changesIn(body, blank);

/** A new profile from what the client said; the rest is empty. */
export function newProfile(body: z.output<typeof addLecturerBody>): Known {
  const { slug: _named, ...profile } = changesOf(body);
  return { ...blank, display_name: body.display_name, ...profile };
}
