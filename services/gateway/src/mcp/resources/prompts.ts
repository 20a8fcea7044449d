import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

interface Argument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly Argument[];
  readonly words: (given: Readonly<Record<string, string>>) => string;
}

const argument = (name: string, description: string, required = false): Argument => ({ name, description, required });

const prompts: readonly Prompt[] = [
  {
    name: 'recommend_course',
    title: 'Recommend a course',
    description: 'Finds the course of this school that fits a goal best',
    arguments: [
      argument('goal', 'What somebody wants to be able to do', true),
      argument('level', 'What they know already'),
      argument('budget', 'What they would pay, with the currency'),
    ],
    words: ({ goal, level, budget }) =>
      `Recommend one course of this school to somebody who wants: ${goal}.${level ? ` Level: ${level}.` : ''}${budget ? ` Budget: ${budget}.` : ''} Use search_courses with several words, read the best with get_course, then name one and say why, what it costs and where it is. Say so when none fits.`,
  },
  {
    name: 'compare_courses',
    title: 'Compare courses',
    description: 'Puts courses side by side',
    arguments: [argument('slugs', 'Slugs of the courses, separated by commas', true)],
    words: ({ slugs }) =>
      `Compare these courses of this school: ${slugs}. Read them with lookup_courses and get_course, then give a table of content, level, length, lecturers and price, and say for whom each is best.`,
  },
  {
    name: 'build_learning_path',
    title: 'Build a learning path',
    description: 'Plans courses of this school over some weeks',
    arguments: [
      argument('goal', 'What somebody wants to be able to do', true),
      argument('weeks', 'How many weeks there are', true),
    ],
    words: ({ goal, weeks }) =>
      `Plan ${weeks} weeks of learning towards: ${goal}. Use only courses of this school: find them with search_courses, read their curriculum with get_course and include: ["curriculum"], order them by what they build on and fit them into the weeks by duration_min. Name what no course covers.`,
  },
];

/** The prompts, as lists show them. */
export const promptList = {
  prompts: prompts.map(({ name, title, description, arguments: args }) => ({
    name,
    title,
    description,
    arguments: args.map((each) => ({ ...each })),
  })),
};

/** A prompt with its arguments filled in. Throws when it is unknown or an argument is missing. */
export function getPrompt({ name, arguments: given = {} }: { name?: string; arguments?: Record<string, string> }) {
  const prompt = prompts.find((each) => each.name === name);
  if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${String(name)}`);
  const missing = prompt.arguments
    .filter((each) => each.required && !given[each.name]?.trim())
    .map((each) => each.name);
  if (missing.length > 0)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The prompt needs: ${missing.join(', ')}`);
  const text = prompt.words(given);
  return {
    description: prompt.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  };
}

/** Whether there is such a prompt. */
export const isPrompt = (name: string): boolean => prompts.some((each) => each.name === name);
