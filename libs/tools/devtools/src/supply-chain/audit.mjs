// npm run audit: asks the registry what is known of the packages of the lock file, and applies the policy of
// docs/supply-chain.md. Ends with 0 = nothing blocks, 1 = something blocks, 2 = the exceptions are wrong or have expired,
// 3 = the registry does not tell, so nothing is known.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exceptionProblems, judge } from './audit-policy.mjs';
import { shippedPackages } from './shipped.mjs';

const file = join(import.meta.dirname, 'audit-exceptions.json');

/** The report of npm, or why there is none. */
function ask() {
  const { stdout, stderr, error } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error) return { lacking: error.message };
  try {
    const report = JSON.parse(stdout);
    if (report.auditReportVersion === 2) return { report };
    return { lacking: report.error?.summary || report.message || `report of version ${report.auditReportVersion}` };
  } catch {
    return { lacking: stderr.trim() || 'npm printed no report' };
  }
}

/** Tells lines, each after a word, and ends with a code. */
function end(code, word, lines) {
  for (const line of lines) (code === 0 ? console.log : console.error)(`${word}${line}`);
  process.exitCode = code;
}

const exceptions = JSON.parse(readFileSync(file, 'utf8'));
const wrong = exceptionProblems(exceptions);
const { report, lacking } = wrong.length > 0 ? {} : ask();
if (wrong.length > 0) end(2, '', wrong);
else if (report === undefined)
  end(3, '', [`The registry does not tell what is known of packages: ${lacking}`, 'Nothing was judged.']);
else {
  const { blocks, notes, idle } = judge(report, exceptions, shippedPackages());
  end(0, 'note:   ', [...notes, ...idle.map((advisory) => `the exception for ${advisory} is not needed any more`)]);
  if (blocks.length > 0) end(1, 'blocks: ', blocks);
  else console.log(`Nothing blocks: ${notes.length} notes, ${exceptions.length} exceptions.`);
}
