/** `node mutant-run.ts [NAME]`: what a check says of price rules with a named fault, or of ours. */
import { applyMutant } from '#tests/simulation/mutants.ts';
import { priceMutants } from './mutants.ts';

const [name = null] = process.argv.slice(2);
// This must run before any module of the product is loaded.
applyMutant(name, priceMutants);
const { checks } = await import('./checks.ts');
const mutant = priceMutants.find((one) => one.name === name);
for (const [check, run] of Object.entries(checks))
  if (mutant === undefined || mutant.by === check)
    try {
      run();
    } catch (error) {
      console.log(`red: ${(error as Error).message}`);
      process.exit(1);
    }
