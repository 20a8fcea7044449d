import { demoFileId, demoLecturerId, demoPlanId } from '@lyceum/contracts';
import { isoTime, uuidv5 } from '@lyceum/kernel';
import { changesIn } from '@lyceum/service';
import { createSystemPage, systemPageId } from '../pages/page.defaults.ts';
import { draftBody } from '../pages/page.schema.ts';
import { isSystemPage } from '../pages/page.slugs.ts';
import type { PageContent } from '../pages/page.state.ts';
import { pageDecider } from '../pages/page.ts';
import { blankPost } from '../posts/post.blank.ts';
import { createPostBody } from '../posts/post.schema.ts';
import { type PostChanges, postDecider } from '../posts/post.ts';
import type { PublicationCommand } from '../publication/publication.ts';
import { type DemoDraft, type DemoPage, type DemoPageStep, demoPages } from './texts/demo-pages.ts';
import { type DemoPost, type DemoPostStep, demoPosts } from './texts/demo-posts.ts';
import type { DemoSchool, DemoWriting } from './demo-writing.ts';

const day = 86_400_000;

/** The id of a post of a demo school: always the same. */
export const demoPostId = (school: string, slug: string): string => `post_${uuidv5('demo-post', school, slug)}`;

/** The id of a page of a demo school: always the same. */
export function demoPageId(school: string, { kind, slug }: Pick<DemoPage, 'kind' | 'slug'>): string {
  return isSystemPage(kind) ? systemPageId(school, kind) : `page_${uuidv5('demo-page', school, slug)}`;
}

/** The publication at a time that is counted from the day on which the demo begins. `at`: when it is asked for. */
function scheduled({ ports }: DemoSchool, inDays: number, at: string): PublicationCommand {
  const morning = new Date(ports.clock.now() + inDays * day).setUTCHours(8, 0, 0, 0);
  return { type: 'SchedulePublication', at: isoTime(morning), now: at };
}

function postCommand(school: DemoSchool, step: DemoPostStep) {
  switch (step.do) {
    case 'publish':
      return { type: 'PublishDraft' } as const;
    case 'unpublish':
      return { type: 'Unpublish' } as const;
    case 'pin':
      return { type: 'PinPost' } as const;
    case 'rewrite': {
      const { body } = createPostBody.pick({ body: true }).parse({ body: step.body });
      return { type: 'ChangePost', changes: body ? { body } : {} } as const;
    }
    case 'schedule':
      return scheduled(school, step.inDays, step.at);
  }
}

async function writePost(school: DemoSchool, writing: DemoWriting, post: DemoPost): Promise<void> {
  const { body, by, author, plans = [], cover, at, next } = post;
  const stream = demoPostId(school.id, body.slug);
  const {
    slug,
    comments_enabled = true,
    ...said
  } = createPostBody.parse({
    ...body,
    ...(author ? { author_id: demoLecturerId(school.id, author) } : {}),
    plan_ids: plans.map((plan) => demoPlanId(school.id, plan)),
  });
  const changes: PostChanges = changesIn(said, { tags: [], plan_ids: [], body: [] });
  const content = { ...blankPost, ...changes, cover: cover ? demoFileId(school.id, cover) : null };
  const made = { slug: slug ?? body.slug, content, comments_enabled, by: school.account(by) };
  if (!(await writing.do(postDecider, { stream, at, command: { type: 'CreatePost', id: stream, ...made } }))) return;
  for (const [index, step] of next.entries()) {
    const command = postCommand(school, step);
    if (!(await writing.do(postDecider, { stream, at: step.at, command, step: `${index} ${command.type}` }))) return;
  }
}

/** A draft as it is kept: images are files of the school. */
function contentOf(school: DemoSchool, draft: DemoDraft): PageContent {
  const { title, blocks, seo } = draftBody.parse({
    ...draft,
    blocks: (draft.blocks ?? []).map((block) => {
      const image = 'image' in block ? block.image : undefined;
      return image === undefined ? block : { ...block, image: demoFileId(school.id, image) };
    }),
  });
  return { title, blocks, seo };
}

function pageCommand(school: DemoSchool, step: DemoPageStep) {
  switch (step.do) {
    case 'publish':
      return { type: 'PublishDraft' } as const;
    case 'save':
      return { type: 'ChangePage', changes: contentOf(school, step.draft) } as const;
    case 'roll back':
      return { type: 'RollBack', to: step.to } as const;
    case 'schedule':
      return scheduled(school, step.inDays, step.at);
  }
}

/** Makes the page, or fills one that every school has unless somebody wrote on it. When it was made; undefined = it is left alone. */
async function begin(school: DemoSchool, writing: DemoWriting, page: DemoPage): Promise<string | undefined> {
  const stream = demoPageId(school.id, page);
  const { kind, slug, at } = page;
  const content = contentOf(school, page.draft);
  if (!isSystemPage(kind)) {
    const command = { type: 'CreatePage', id: stream, slug, kind, content, by: school.account('owner') } as const;
    const made = await writing.do(pageDecider, { stream, at, command });
    return made?.created_at;
  }
  const empty = await createSystemPage(writing.log, school.id, kind, { language: 'en', at });
  if (!empty) return undefined;
  const isTouched = empty.draft.blocks.length > 0 || empty.revisions.length > 0;
  if (isTouched && !(await writing.isDone('fill', stream))) return undefined;
  // It was made when the school was, which may be later than the demo has it.
  const filled = at > empty.created_at ? at : empty.created_at;
  const command = { type: 'ChangePage', changes: content } as const;
  return (await writing.do(pageDecider, { stream, at: filled, command, step: 'fill' })) ? filled : undefined;
}

async function writePage(school: DemoSchool, writing: DemoWriting, page: DemoPage): Promise<void> {
  const began = await begin(school, writing, page);
  if (began === undefined) return;
  const stream = demoPageId(school.id, page);
  for (const [index, step] of page.next.entries()) {
    const at = step.at > began ? step.at : began;
    const command = pageCommand(school, step);
    if (!(await writing.do(pageDecider, { stream, at, command, step: `${index} ${command.type}` }))) return;
  }
}

/** Writes the pages of a demo school, which show its forms. */
export async function publishPages(school: DemoSchool): Promise<void> {
  await school.write(async (writing) => {
    for (const page of demoPages[school.slug] ?? []) await writePage(school, writing, page);
  });
}

/** Writes the posts of a demo school. */
export async function publishPosts(school: DemoSchool): Promise<void> {
  await school.write(async (writing) => {
    for (const post of demoPosts[school.slug] ?? []) await writePost(school, writing, post);
  });
}
