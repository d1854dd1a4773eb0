import { readWorkerConfig } from '../../config/worker.ts';
import { runWorkerProcess } from '../../worker/process.ts';
import { productVariables, readLocalService, refusedOnPublicClusters } from './local-service.ts';

await runWorkerProcess(() => ({
  config: refusedOnPublicClusters(readWorkerConfig(productVariables(process.env))),
  exchange: readLocalService(process.env).exchange,
}));
