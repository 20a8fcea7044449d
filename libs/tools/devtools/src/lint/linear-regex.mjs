// A lint rule: no regular expression may need more than linear time. Whoever writes the text that it runs on would stop
// the whole process, and every school with it.
import { analyse } from 'scslre';

const causes = {
  Trade: 'two repetitions next to each other can share the same characters',
  Self: 'a repetition repeats what already repeats',
  Move: 'it is begun anew at every character that its own repetition has just read',
};

/** Why a pattern is not linear; empty when it is. */
export function superLinear(source, flags) {
  // What this analysis does not know of these flags changes nothing about the time.
  const pattern = { source, flags: flags.replace(/[dv]/g, '') };
  return analyse(pattern).reports.map(({ type }) => causes[type]);
}

const rule = {
  meta: {
    type: 'problem',
    docs: { description: 'Regular expressions take linear time' },
    messages: { slow: 'This pattern takes quadratic time or worse: {{cause}}. Write a loop, or indexOf.' },
  },
  create: (context) => ({
    Literal(node) {
      if (!node.regex) return;
      const [cause] = superLinear(node.regex.pattern, node.regex.flags);
      if (cause) context.report({ node, messageId: 'slow', data: { cause } });
    },
  }),
};

// oxlint-disable-next-line import/no-default-export -- what the linter asks of a plugin
export default { meta: { name: 'lyceum' }, rules: { 'linear-regex': rule } };
