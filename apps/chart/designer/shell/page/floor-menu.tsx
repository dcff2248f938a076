/** Adds, names, orders and removes floors. */
import { useState } from 'react';
import {
  addFloor,
  fitFloor,
  orderFloors,
  removeFloor,
  renameFloor,
} from '#server/drawing/edit/floors.ts';
import type { Edit } from '#server/drawing/model/edit.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { Button, TextField } from '#apps/chart/designer/kit/controls.tsx';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';
import { floorName } from '#apps/chart/designer/kit/floor-name.ts';
import { MenuButton, type MenuLine } from '#apps/chart/designer/kit/menu.tsx';

type Question = 'add' | 'rename' | 'remove';

function swapped(ids: readonly string[], at: number, by: 1 | -1): string[] {
  const next = [...ids];
  next.splice(at + by, 0, ...next.splice(at, 1));
  return next;
}

export function FloorMenu() {
  const { studio } = useDesigner();
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const [question, setQuestion] = useState<Question | null>(null);
  if (readOnly) return null;
  const lines = (): MenuLine[][] => {
    const { doc, floor } = studio.state;
    const ids = doc.floors.map(({ id }) => id);
    const at = ids.indexOf(floor);
    const act = (edit: Edit | null) => studio.act(edit);
    return [
      [
        { id: 'add', title: 'Aggiungi un piano…', icon: 'plus', run: () => setQuestion('add') },
        { id: 'rename', title: 'Rinomina il piano…', run: () => setQuestion('rename') },
        { id: 'fit', title: 'Adatta il foglio al disegno', run: () => act(fitFloor(doc, floor)) },
      ],
      [
        {
          id: 'before',
          title: 'Sposta prima',
          disabled: at === 0,
          run: () => act(orderFloors(doc, swapped(ids, at, -1))),
        },
        {
          id: 'after',
          title: 'Sposta dopo',
          disabled: at === ids.length - 1,
          run: () => act(orderFloors(doc, swapped(ids, at, 1))),
        },
      ],
      [
        {
          id: 'remove',
          title: 'Elimina il piano…',
          icon: 'trash',
          disabled: ids.length < 2,
          run: () => setQuestion('remove'),
        },
      ],
    ];
  };
  return (
    <>
      <MenuButton title="Gestisci i piani" icon="more" groups={lines} />
      {question && <FloorQuestion question={question} onClose={() => setQuestion(null)} />}
    </>
  );
}

function FloorQuestion({ question, onClose }: { question: Question; onClose: () => void }) {
  const { studio, newId } = useDesigner();
  const { doc, floor } = studio.state;
  const shown = floorName(doc.floors.find(({ id }) => id === floor)?.data ?? {});
  const [name, setName] = useState(question === 'rename' ? shown : '');
  const run = () => {
    onClose();
    if (question === 'remove') studio.act(removeFloor(doc, floor));
    else if (question === 'rename') studio.act(renameFloor(doc, floor, name));
    else {
      studio.act(addFloor(doc, { name }, newId));
      const last = studio.state.doc.floors.at(-1);
      if (last) studio.set({ floor: last.id, section: null });
    }
  };
  const titles = { add: 'Nuovo piano', rename: 'Rinomina il piano', remove: 'Eliminare il piano?' };
  const answers = { add: 'Aggiungi', rename: 'Rinomina', remove: 'Elimina' };
  return (
    <Dialog
      title={titles[question]}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Annulla</Button>
          <Button look={question === 'remove' ? 'danger' : 'primary'} onPress={run}>
            {answers[question]}
          </Button>
        </>
      }
    >
      {question === 'remove' ? (
        <p>Con il piano «{shown}» si elimina tutto quello che c’è sopra. Puoi annullare.</p>
      ) : (
        <TextField label="Nome del piano" value={name} onCommit={setName} maxLength={60} />
      )}
    </Dialog>
  );
}
