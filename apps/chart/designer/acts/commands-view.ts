/** Commands for the view and for finding places. */
import type { Command } from './command.ts';

export const viewCommands: readonly Command[] = [
  {
    id: 'zoom-in',
    title: 'Ingrandisci',
    keys: ['+', 'Ctrl++'],
    menu: 'view',
    run: ({ canvas }) => canvas()?.zoomBy(1.25),
  },
  {
    id: 'zoom-out',
    title: 'Riduci',
    keys: ['-', 'Ctrl+-'],
    menu: 'view',
    run: ({ canvas }) => canvas()?.zoomBy(1 / 1.25),
  },
  {
    id: 'fit',
    title: 'Mostra tutto il piano',
    keys: ['0', 'Ctrl+0'],
    menu: 'view',
    run: ({ canvas }) => canvas()?.fit(),
  },
  {
    id: 'zoom-selection',
    title: 'Vai alla selezione',
    keys: ['Ctrl+Invio'],
    menu: 'view',
    needs: 'selection',
    run: ({ canvas, studio }) => canvas()?.zoomTo(studio.state.selection),
  },
  {
    id: 'pick',
    title: 'Scegli singoli posti o file intere',
    keys: ['Ctrl+Maiusc+P'],
    menu: 'view',
    run: ({ canvas, studio }) => {
      const view = canvas();
      if (!view) return;
      const pick = view.settings.pick === 'seats' ? 'objects' : 'seats';
      view.set({ pick });
      studio.say(pick === 'seats' ? 'Ora scegli singoli posti.' : 'Ora scegli oggetti interi.');
    },
  },
  ...(
    [
      ['grid', 'Griglia'],
      ['snap', 'Aggancia a griglia e guide'],
      ['rulers', 'Righelli'],
      ['minimap', 'Mappa d’insieme'],
      ['labels', 'Etichette dei posti'],
    ] as const
  ).map(([setting, title]): Command => ({
    id: setting,
    title,
    menu: 'view',
    run: ({ canvas, studio }) => {
      const view = canvas();
      if (!view) return;
      view.set({ [setting]: !view.settings[setting] });
      studio.say(`${title}: ${view.settings[setting] ? 'sì' : 'no'}`);
    },
  })),
  {
    id: 'search',
    title: 'Vai a un posto…',
    keys: ['Ctrl+F'],
    menu: 'view',
    run: ({ openDialog }) => openDialog('search'),
  },
  {
    id: 'help',
    title: 'Tasti e aiuto…',
    keys: ['?', 'F1'],
    menu: 'view',
    run: ({ openDialog }) => openDialog('help'),
  },
];
