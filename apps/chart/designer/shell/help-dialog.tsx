/** All keys, from the list of the keyboard map. */
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import type { Command } from '#apps/chart/designer/acts/command.ts';
import { commands } from '#apps/chart/designer/acts/commands.ts';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';
import css from './help-dialog.css?inline';
import { registerStyle } from '#apps/chart/designer/kit/style.ts';
import { toolGroups } from '#apps/chart/designer/acts/tool-list.ts';

registerStyle(css);

const titles: Record<Command['menu'], string> = {
  edit: 'Modifica',
  select: 'Selezione',
  arrange: 'Disposizione',
  rows: 'File e settori',
  view: 'Vista',
};

const moving: [keys: string, what: string][] = [
  ['Invio', 'sulla pianta: seleziona il primo oggetto'],
  ['Tab', 'con un oggetto selezionato: va al prossimo'],
  ['Esc', 'interrompe, deseleziona, esce dal settore'],
  ['F6', 'passa tra pianta, strumenti, elenco e pannelli'],
  ['Spazio', 'tenuto premuto: sposta la vista'],
];

function Keys({ lines }: { lines: [keys: string, what: string][] }) {
  return (
    <dl className="bsd-keys">
      {lines.map(([keys, what]) => (
        <div key={`${keys} ${what}`}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}

export function HelpDialog({ onClose }: { studio: Studio; onClose: () => void }) {
  return (
    <Dialog title="Tasti" wide onClose={onClose}>
      <div className="bsd-help">
        <section>
          <h3>Muoversi</h3>
          <Keys lines={moving} />
        </section>
        <section>
          <h3>Strumenti</h3>
          <Keys lines={toolGroups.flat().map(({ letter, name }) => [letter, name])} />
        </section>
        {(Object.keys(titles) as Command['menu'][]).map((menu) => (
          <section key={menu}>
            <h3>{titles[menu]}</h3>
            <Keys
              lines={commands
                .filter((command) => command.menu === menu)
                .flatMap(({ keys, title }) => (keys ? [[keys.join(' · '), title]] : []))}
            />
          </section>
        ))}
      </div>
    </Dialog>
  );
}
