/**
 * `npm run packages -- [--sbom FILE] [--ages NAME,… | all]`: which licences and install scripts come with the dependencies, and whether that is as
 * agreed; the bill of materials; how old the named ones are, if the registry says so.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { faultsOf, readPackages, root } from './packages.ts';
import { makeSbom } from './sbom.ts';

const { values } = parseArgs({
  options: { sbom: { type: 'string' }, ages: { type: 'string' } },
});
const packages = readPackages();
const ofUsers = packages.filter(({ dev }) => !dev);
console.log(`${packages.length} packages, ${ofUsers.length} of them where it runs`);
const byLicence = Map.groupBy(packages, ({ licence }) => licence ?? '(none)');
for (const [licence, all] of [...byLicence].toSorted(([, a], [, b]) => b.length - a.length))
  console.log(`  ${String(all.length).padStart(4)} × ${licence}`);
for (const { name, version } of packages.filter(({ runsScript }) => runsScript))
  console.log(`runs a script when installed: ${name} ${version}`);
if (values.ages !== undefined) tellAges(values.ages);
if (values.sbom !== undefined) {
  const sbom = makeSbom();
  writeFileSync(values.sbom, `${JSON.stringify(sbom, null, 2)}\n`);
  console.log(
    `CycloneDX ${sbom.specVersion}: ${sbom.components.length} components in ${values.sbom}`,
  );
}
const faults = faultsOf(packages);
for (const fault of faults) console.log(fault);
console.log(faults.length === 0 ? 'all as agreed' : `${faults.length} not as agreed`);
process.exitCode = faults.length > 0 ? 1 : 0;

/** One question each, one after the other; the lock file knows no dates. */
function tellAges(names: string): void {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  const direct = { ...dependencies, ...devDependencies };
  for (const name of names === 'all' ? Object.keys(direct) : names.split(',')) {
    const version = direct[name];
    const days = version === undefined ? null : ageInDays(name, version);
    console.log(
      `${name} ${version ?? '(not ours)'}: ${days === null ? 'age unknown, the registry says nothing' : `${days} days old`}`,
    );
  }
}

function ageInDays(name: string, version: string): number | null {
  try {
    const said = execFileSync('npm', ['view', name, 'time', '--json'], {
      encoding: 'utf8',
      timeout: 20_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const published = Date.parse((JSON.parse(said) as Record<string, string>)[version] ?? '');
    return Number.isNaN(published) ? null : Math.floor((Date.now() - published) / 86_400_000);
  } catch {
    return null;
  }
}
