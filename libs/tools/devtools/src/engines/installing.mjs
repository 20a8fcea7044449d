import { Lacking } from './machine.mjs';

/**
 * Installs what the names ask for, all without one, and tells of each what came of it. An installer is a name, a remedy and a
 * function that resolves to where or which. Resolves to how many are missing, of how many.
 */
export async function installAll(installers, names) {
  const asked = installers.filter(([name]) => names.length === 0 || names.some((begin) => name.startsWith(begin)));
  if (asked.length === 0)
    throw new Error(`there is no ${names.join(', ')}: ${installers.map(([name]) => name).join(', ')}`);
  let missing = 0;
  for (const [name, remedy, install] of asked) {
    try {
      console.log(`ok    ${name}: ${await install()}`);
    } catch (error) {
      missing += 1;
      console.log(`lack  ${name}: ${error instanceof Lacking ? error.message : error.stack} - ${remedy}`);
    }
  }
  return { missing, asked: asked.length };
}
