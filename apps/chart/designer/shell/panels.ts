/** The designer's panels and dialogs, one entry each; new ones are added here. */
import type { ComponentType } from 'react';
import type { Feature } from '#apps/chart/designer/config.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { Inspector } from '#apps/chart/designer/inspector/inspector.tsx';
import { CategoriesPanel } from '#apps/chart/designer/panels/categories-panel.tsx';
import { ChecksPanel } from '#apps/chart/designer/panels/checks-panel.tsx';
import { DifferencesPanel } from '#apps/chart/designer/panels/differences-panel.tsx';
import { QualityPanel } from '#apps/chart/designer/panels/quality-panel.tsx';
import { HistoryPanel } from '#apps/chart/designer/shell/page/history-panel.tsx';
import type { IconName } from '#apps/chart/designer/kit/icons.tsx';

/** A tab at the right. */
interface Panel {
  id: string;
  title: string;
  icon: IconName;
  feature?: Feature;
  component: ComponentType<{ studio: Studio }>;
}

/** A dialog that a menu opens; its script is fetched then. */
export interface DialogSlot {
  id: string;
  title: string;
  icon: IconName;
  /** If left out, no menu opens the dialog. */
  menu?: 'file' | 'edit' | 'labels' | 'view';
  features?: readonly Feature[];
  load: () => Promise<ComponentType<{ studio: Studio; onClose: () => void }>>;
}

export const panels: Panel[] = [
  {
    id: 'properties',
    title: 'Proprietà',
    icon: 'sliders',
    feature: 'objectProperties',
    component: Inspector,
  },
  {
    id: 'categories',
    title: 'Categorie',
    icon: 'palette',
    feature: 'categoryList',
    component: CategoriesPanel,
  },
  { id: 'checks', title: 'Controlli', icon: 'checks', component: ChecksPanel },
  { id: 'quality', title: 'Qualità dei posti', icon: 'quality', component: QualityPanel },
  { id: 'differences', title: 'Differenze', icon: 'info', component: DifferencesPanel },
  { id: 'history', title: 'Cronologia', icon: 'history', component: HistoryPanel },
];

export const dialogs: DialogSlot[] = [
  {
    id: 'publish',
    title: 'Pubblica…',
    icon: 'upload',
    menu: 'file',
    features: ['publishing'],
    load: async () =>
      (await import('#apps/chart/designer/saving/publish-dialog.tsx')).PublishDialog,
  },
  {
    id: 'versions',
    title: 'Versioni pubblicate…',
    icon: 'history',
    menu: 'file',
    load: async () =>
      (await import('#apps/chart/designer/saving/versions-dialog.tsx')).VersionsDialog,
  },
  {
    id: 'conflict',
    title: 'Due persone su una pianta',
    icon: 'people',
    load: async () =>
      (await import('#apps/chart/designer/saving/conflict-dialog.tsx')).ConflictDialog,
  },
  {
    id: 'templates',
    title: 'Parti da un modello…',
    icon: 'plus',
    menu: 'file',
    load: async () =>
      (await import('#apps/chart/designer/port/templates-dialog.tsx')).TemplatesDialog,
  },
  {
    id: 'import',
    title: 'Importa…',
    icon: 'upload',
    menu: 'file',
    load: async () => (await import('#apps/chart/designer/port/import-dialog.tsx')).ImportDialog,
  },
  {
    id: 'export',
    title: 'Esporta…',
    icon: 'download',
    menu: 'file',
    load: async () => (await import('#apps/chart/designer/port/export-dialog.tsx')).ExportDialog,
  },
  {
    id: 'print',
    title: 'Stampa…',
    icon: 'copy',
    menu: 'file',
    load: async () => (await import('#apps/chart/designer/port/print-dialog.tsx')).PrintDialog,
  },
  {
    id: 'backdrop',
    title: 'Sfondo da ricalcare…',
    icon: 'image',
    menu: 'file',
    features: ['backgroundImage', 'referenceChart'],
    load: async () =>
      (await import('#apps/chart/designer/port/backdrop-dialog.tsx')).BackdropDialog,
  },
  {
    id: 'labels',
    title: 'Etichette…',
    icon: 'label',
    menu: 'labels',
    features: ['labeling'],
    load: async () => (await import('#apps/chart/designer/panels/labels-dialog.tsx')).LabelsDialog,
  },
  {
    id: 'copies',
    title: 'Copie in serie',
    icon: 'copy',
    load: async () => (await import('#apps/chart/designer/making/copies-dialog.tsx')).CopiesDialog,
  },
  {
    id: 'to-floor',
    title: 'Porta su un altro piano',
    icon: 'plus',
    load: async () =>
      (await import('#apps/chart/designer/making/to-floor-dialog.tsx')).ToFloorDialog,
  },
  {
    id: 'palchi',
    title: 'Palchi lungo la fila',
    icon: 'plus',
    load: async () => (await import('#apps/chart/designer/making/palchi-dialog.tsx')).PalchiDialog,
  },
  {
    id: 'search',
    title: 'Vai a un posto…',
    icon: 'search',
    load: async () => (await import('./search-dialog.tsx')).SearchDialog,
  },
  {
    id: 'help',
    title: 'Tasti e aiuto…',
    icon: 'help',
    load: async () => (await import('./help-dialog.tsx')).HelpDialog,
  },
];
