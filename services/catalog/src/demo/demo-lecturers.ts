import type { z } from 'zod';
import type { addLecturerBody } from '../lecturers/lecturer.schema.ts';

/** One lecturer of the demo. `account`: the demo account that signs in as them. */
interface DemoLecturer {
  readonly account?: 'lecturer';
  readonly body: z.input<typeof addLecturerBody> & { readonly slug: string };
}

/** Who teaches at the demo schools, by school. The first teaches what is taught. */
export const demoLecturers: Readonly<Record<string, readonly DemoLecturer[]>> = {
  'lantern-craft': [
    {
      account: 'lecturer',
      body: {
        slug: 'ines-carvalho',
        display_name: 'Inês Carvalho',
        title: 'Paper and light',
        bio: 'Folds, cuts and lights paper since a power cut in 2009.',
        position: 1,
      },
    },
    {
      body: {
        slug: 'tomas-reis',
        display_name: 'Tomás Reis',
        title: 'Frames and bamboo',
        bio: 'Builds what has to stand in the wind.',
        position: 2,
      },
    },
  ],
  'north-quay': [
    {
      account: 'lecturer',
      body: {
        slug: 'ines-carvalho',
        display_name: 'Naoko Ishii',
        title: 'Shamisen',
        bio: 'Plays at weddings, at harbours and at kitchen tables.',
        position: 1,
      },
    },
  ],
};
