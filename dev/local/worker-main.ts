import { readWorkerConfig } from '../../config/worker.ts';
import { runWorkerProcess } from '../../worker/process.ts';
import { productVariables, readLocalService, refusedOnPublicClusters } from './local-service.ts';

const { exchange } = readLocalService(process.env);
await runWorkerProcess(refusedOnPublicClusters(readWorkerConfig(productVariables(process.env))), exchange);
