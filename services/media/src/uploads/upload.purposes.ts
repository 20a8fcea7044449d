import { largestFile } from '@lyceum/contracts';

const mebibyte = 1024 * 1024;

const images = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;
const videos = ['video/mp4', 'video/webm', 'video/quicktime', 'video/x-matroska'] as const;
const audio = ['audio/mpeg', 'audio/mp4', 'audio/x-m4a', 'audio/ogg', 'audio/wav', 'audio/flac'] as const;
const texts = ['text/plain', 'text/csv', 'text/markdown', 'text/vtt'] as const;
const packed = [
  'application/zip',
  'application/epub+zip',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.text',
] as const;

/** Types whose content is only known to be text: which one it is, is what was announced. */
export const textTypes: readonly string[] = texts;
/** Types whose content is only known to be a ZIP archive: likewise. */
export const packedTypes: readonly string[] = packed;

/** What a purpose allows. Everybody may read a public file; a private one needs a signed address. */
interface Purpose {
  readonly access: 'public' | 'private';
  /** Bytes. */
  readonly largest: number;
  /** Neither HTML nor SVG is among them: they would run in a browser. */
  readonly types: readonly string[];
}

const picture = { access: 'public', largest: 10 * mebibyte, types: images } as const;
const document = {
  access: 'private',
  largest: 100 * mebibyte,
  types: [...images, ...audio, ...texts, ...packed, 'application/pdf'],
} as const;

/** What files are uploaded for. */
export const purposes = {
  cover: picture,
  page_image: picture,
  avatar: { ...picture, largest: 2 * mebibyte },
  lesson_video: { access: 'private', largest: largestFile, types: [...videos, ...audio] },
  lesson_file: document,
  product_file: { ...document, largest: largestFile, types: [...document.types, ...videos] },
} as const satisfies Record<string, Purpose>;

/** The name of a purpose. */
export type PurposeName = keyof typeof purposes;

/** The names of all purposes. */
export const purposeNames = Object.keys(purposes) as [PurposeName, ...PurposeName[]];

/** What a purpose allows; nothing where it is none of ours any more. */
export const purposeOf = (name: string): Purpose | undefined => (purposes as Record<string, Purpose>)[name];
