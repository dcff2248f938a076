/** Says which Node is wanted, in JavaScript that an older one understands; scripts load it first. */
const { devDependencies } = require('../package.json');

const wanted = devDependencies.node;
if (Number.parseInt(process.versions.node, 10) < Number.parseInt(wanted, 10)) {
  console.error(
    `Questo è Node ${process.versions.node} e serve Node ${wanted}: lo porta «npm rebuild node --ignore-scripts=false», oppure si prende da https://nodejs.org.`,
  );
  process.exit(1);
}
