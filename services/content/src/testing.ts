import { type ServiceUnderTest, type UnderTestOptions, serviceUnderTest } from '@lyceum/testkit-service';
import { content } from './module.ts';

/** Files by what they are: of school_1, but for the one of school_2. */
export const fileIds = {
  page: 'upload_00000000-0000-7000-8000-000000000001',
  cover: 'upload_00000000-0000-7000-8000-000000000002',
  product: 'upload_00000000-0000-7000-8000-000000000003',
  lecturers: 'upload_00000000-0000-7000-8000-000000000004',
  coming: 'upload_00000000-0000-7000-8000-000000000005',
  elsewhere: 'upload_00000000-0000-7000-8000-000000000006',
  none: 'upload_00000000-0000-7000-8000-000000000007',
} as const;

type FileName = keyof typeof fileIds;

const announced = (name: FileName, purpose: string, owner_id = 'acc_owner') => ({
  type: 'FileAnnounced',
  data: { file_id: fileIds[name], purpose, access: 'public', content_type: 'image/png', size: 7, owner_id },
});

const ready = (name: FileName) => ({
  type: 'FileReady',
  data: { file_id: fileIds[name], content_type: 'image/png', size: 7, sha256: 'ab' },
});

const school = 'school_2';

/** What the media service has published before a test. */
const mediaFacts = [
  announced('page', 'page_image'),
  ready('page'),
  announced('cover', 'cover'),
  ready('cover'),
  announced('product', 'product_file'),
  ready('product'),
  announced('lecturers', 'cover', 'acc_lecturer'),
  ready('lecturers'),
  announced('coming', 'page_image'),
  { ...announced('elsewhere', 'page_image'), school },
  { ...ready('elsewhere'), school },
];

/** The content service with two schools and their files. */
export type ContentUnderTest = ServiceUnderTest;

/** Starts the content service. */
export const startContent = ({
  published = {},
  ...options
}: UnderTestOptions<object> = {}): Promise<ContentUnderTest> =>
  serviceUnderTest(content, { ...options, published: { media: mediaFacts, ...published } });
