"""The public names of MXNet 1.9.1: recorded by tests/conformance/record_names.py, never edited.

For each module its classes, functions, modules and other values. A class that comes from elsewhere
is written with a colon and where.
"""

NAMES = {
    "mxnet": {
        "classes": """
AttrScope Context MXNetError
""",
        "functions": """
cpu cpu_pinned current_context gpu is_np_array is_np_shape np_array np_shape set_np_shape use_np
use_np_array use_np_shape
""",
        "modules": """
api attribute autograd base callback context contrib engine error executor executor_manager gluon
image img init initializer io kv kvstore libinfo library log lr_scheduler metric mod model module
mon monitor name nd ndarray ndarray_doc notebook np np_symbol npx numpy numpy_dispatch_protocol
numpy_extension numpy_op_fallback numpy_op_signature onnx operator optimizer profiler random
recordio registry rnd rnn rtc runtime sym symbol symbol_doc test_utils th torch tvmop util
visualization viz
""",
    },
    "mxnet.np": {
        "classes": """
bool bool_ finfo float16 float32 float64 int32 int64 int8 ndarray uint8
""",
        "functions": """
abs absolute add all allclose alltrue amax amin any append apply_along_axis apply_over_axes arange
arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin argpartition argsort argwhere
around array array_equal array_equiv array_split atleast_1d atleast_2d atleast_3d average bincount
bitwise_and bitwise_not bitwise_or bitwise_xor blackman broadcast_arrays broadcast_to cbrt ceil
choose clip column_stack compress concatenate copy copysign corrcoef correlate cos cosh
count_nonzero cov cumsum deg2rad degrees delete diag diag_indices_from diagflat diagonal diff
digitize divide divmod dot dsplit dstack ediff1d einsum empty empty_like equal exp expand_dims
expm1 extract eye fabs fix flatnonzero flip fliplr flipud float_power floor frexp full full_like
genfromtxt greater greater_equal hamming hanning heaviside histogram histogram2d
histogram_bin_edges histogramdd hsplit hstack hypot i0 identity in1d indices inner insert interp
intersect1d invert isclose isfinite isin isinf isnan isneginf isposinf ix_ lcm ldexp less
less_equal lexsort linspace log log10 log1p log2 logical_not logspace matmul max maximum
may_share_memory mean meshgrid min min_scalar_type minimum mirr mod modf moveaxis msort multiply
nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmedian nanmin nanpercentile nanprod
nanquantile ndim negative nonzero not_equal npv ones ones_like outer packbits pad partition
percentile piecewise poly polyadd polydiv polyfit polyint polymul polysub polyval positive power
ppmt prod product promote_types ptp pv quantile rad2deg radians rate ravel real reciprocal
remainder repeat reshape resize result_type rint roll rollaxis roots rot90 round round_ row_stack
searchsorted select set_printoptions setdiff1d setxor1d shape shares_memory sign signbit sin sinh
size sometrue sort spacing split sqrt square squeeze stack std subtract sum swapaxes take
take_along_axis tan tanh tensordot tile trace transpose trapz tril tril_indices_from trim_zeros
triu_indices_from true_divide trunc union1d unique unpackbits unravel_index unwrap vander var vdot
vsplit vstack where zeros zeros_like
""",
        "modules": """
arrayprint fallback fallback_linalg function_base io linalg multiarray random stride_tricks utils
""",
        "values": """
NAN NINF NZERO NaN PINF PZERO e inf nan newaxis pi
""",
    },
    "mxnet.np.linalg": {
        "functions": """
cholesky cond det eig eigh eigvals eigvalsh inv lstsq matrix_power matrix_rank multi_dot norm pinv
qr slogdet solve svd tensorinv tensorsolve
""",
    },
    "mxnet.np.random": {
        "functions": """
beta chisquare choice exponential gamma gumbel logistic lognormal multinomial multivariate_normal
normal pareto power rand randint randn rayleigh shuffle uniform weibull
""",
    },
    "mxnet.npx": {
        "classes": """
Context
""",
        "functions": """
activation arange_like batch_dot batch_flatten batch_norm cast convolution cpu cpu_pinned
current_context deconvolution dropout embedding erf erfinv fully_connected gamma gammaln gather_nd
get_cuda_compute_capability gpu gpu_memory_info is_np_array is_np_shape layer_norm leaky_relu load
log_softmax multibox_detection multibox_prior multibox_target nonzero num_gpus one_hot pick
pooling relu reset_np reshape reshape_like rnn roi_pooling save sequence_mask set_np shape_array
sigmoid slice smooth_l1 softmax topk waitall
""",
        "modules": """
image random utils
""",
    },
    "mxnet.npx.image": {
        "functions": """
adjust_lighting crop flip_left_right flip_top_bottom normalize random_brightness
random_color_jitter random_contrast random_flip_left_right random_flip_top_bottom random_hue
random_lighting random_saturation resize to_tensor
""",
    },
    "mxnet.npx.random": {
        "functions": """
bernoulli normal_n seed uniform_n
""",
    },
    "mxnet.nd": {
        "classes": """
CachedOp NDArray
""",
        "functions": """
Activation BatchNorm BatchNorm_v1 BilinearSampler BlockGrad CTCLoss Cast Concat Convolution
Convolution_v1 Correlation Crop Custom Deconvolution Dropout ElementWiseSum Embedding Flatten
FullyConnected GridGenerator GroupNorm IdentityAttachKLSparseReg InstanceNorm L2Normalization LRN
LayerNorm LeakyReLU LinearRegressionOutput LogisticRegressionOutput MAERegressionOutput MakeLoss
Pad Pooling Pooling_v1 RNN ROIPooling Reshape SVMOutput SequenceLast SequenceMask SequenceReverse
SliceChannel Softmax SoftmaxActivation SoftmaxOutput SpatialTransformer SwapAxis UpSampling abs
adam_update add add_n all_finite amp_cast amp_multicast arange arccos arccosh arcsin arcsinh
arctan arctanh argmax argmax_channel argmin argsort array batch_dot batch_take broadcast_add
broadcast_axes broadcast_axis broadcast_div broadcast_equal broadcast_greater
broadcast_greater_equal broadcast_hypot broadcast_lesser broadcast_lesser_equal broadcast_like
broadcast_logical_and broadcast_logical_or broadcast_logical_xor broadcast_maximum
broadcast_minimum broadcast_minus broadcast_mod broadcast_mul broadcast_not_equal broadcast_plus
broadcast_power broadcast_sub broadcast_to cast cast_storage cbrt ceil choose_element_0index clip
col2im concat concatenate cos cosh crop ctc_loss cumsum degrees depth_to_space diag divide dot
elemwise_add elemwise_div elemwise_mul elemwise_sub empty equal erf erfinv exp expand_dims expm1
eye fill_element_0index fix flatten flip floor from_dlpack from_numpy ftml_update ftrl_update full
gamma gammaln gather_nd greater greater_equal hard_sigmoid histogram identity im2col imdecode
khatri_rao lamb_update_phase1 lamb_update_phase2 lesser lesser_equal linalg_det linalg_extractdiag
linalg_extracttrian linalg_gelqf linalg_gemm linalg_gemm2 linalg_inverse linalg_makediag
linalg_maketrian linalg_potrf linalg_potri linalg_slogdet linalg_sumlogdiag linalg_syrk
linalg_trmm linalg_trsm linspace load load_frombuffer log log10 log1p log2 log_softmax logical_and
logical_not logical_or logical_xor make_loss max max_axis maximum mean min min_axis minimum modulo
moments moveaxis mp_lamb_update_phase1 mp_lamb_update_phase2 mp_nag_mom_update mp_sgd_mom_update
mp_sgd_update multi_all_finite multi_lars multi_mp_sgd_mom_update multi_mp_sgd_update
multi_sgd_mom_update multi_sgd_update multi_sum_sq multiply nag_mom_update nanprod nansum negative
norm normal not_equal one_hot onehot_encode ones ones_like pad pick power
preloaded_multi_mp_sgd_mom_update preloaded_multi_mp_sgd_update preloaded_multi_sgd_mom_update
preloaded_multi_sgd_update prod radians random_exponential random_gamma
random_generalized_negative_binomial random_negative_binomial random_normal random_pdf_dirichlet
random_pdf_exponential random_pdf_gamma random_pdf_generalized_negative_binomial
random_pdf_negative_binomial random_pdf_normal random_pdf_poisson random_pdf_uniform
random_poisson random_randint random_uniform ravel_multi_index rcbrt reciprocal relu repeat
reset_arrays reshape reshape_like reverse rint rmsprop_update rmspropalex_update round rsqrt
sample_exponential sample_gamma sample_generalized_negative_binomial sample_multinomial
sample_negative_binomial sample_normal sample_poisson sample_uniform save scatter_nd
sgd_mom_update sgd_update shape_array shuffle sigmoid sign signsgd_update signum_update sin sinh
size_array slice slice_axis slice_like smooth_l1 softmax softmax_cross_entropy softmin softsign
sort space_to_depth split split_v2 sqrt square squeeze stack stop_gradient subtract sum sum_axis
swapaxes take tan tanh tile to_dlpack_for_read to_dlpack_for_write topk transpose true_divide
trunc uniform unravel_index waitall where zeros zeros_like
""",
        "modules": """
contrib image linalg ndarray np npx numpy numpy_extension random register sparse utils
""",
    },
    "mxnet.nd.contrib": {
        "functions": """
AdaptiveAvgPooling2D BatchNormWithReLU BilinearResize2D CTCLoss DeformableConvolution
DeformablePSROIPooling ModulatedDeformableConvolution MultiBoxDetection MultiBoxPrior
MultiBoxTarget MultiProposal PSROIPooling Proposal ROIAlign RROIAlign SparseEmbedding
SyncBatchNorm allclose arange_like backward_gradientmultiplier backward_hawkesll
backward_index_copy backward_quadratic bipartite_matching boolean_mask box_decode box_encode
box_iou box_nms box_non_maximum_suppression calibrate_entropy cond count_sketch ctc_loss
dequantize dgl_adjacency dgl_csr_neighbor_non_uniform_sample dgl_csr_neighbor_uniform_sample
dgl_graph_compact dgl_subgraph div_sqrt_dim edge_id fft foreach getnnz gradientmultiplier
group_adagrad_update hawkesll ifft index_array index_copy interleaved_matmul_encdec_qk
interleaved_matmul_encdec_valatt interleaved_matmul_selfatt_qk interleaved_matmul_selfatt_valatt
isfinite isinf isnan quadratic quantize quantize_asym quantize_v2 quantized_act
quantized_batch_norm quantized_concat quantized_conv quantized_elemwise_add quantized_elemwise_mul
quantized_embedding quantized_flatten quantized_fully_connected quantized_pooling quantized_rnn
rand_zipfian requantize round_ste sign_ste while_loop
""",
    },
    "mxnet.nd.image": {
        "functions": """
adjust_lighting crop flip_left_right flip_top_bottom normalize random_brightness
random_color_jitter random_contrast random_flip_left_right random_flip_top_bottom random_hue
random_lighting random_saturation resize to_tensor
""",
    },
    "mxnet.nd.linalg": {
        "functions": """
det extractdiag extracttrian gelqf gemm gemm2 inverse makediag maketrian potrf potri slogdet
sumlogdiag syevd syrk trmm trsm
""",
    },
    "mxnet.nd.random": {
        "functions": """
exponential exponential_like gamma gamma_like generalized_negative_binomial
generalized_negative_binomial_like multinomial negative_binomial negative_binomial_like normal
normal_like poisson poisson_like randint randn shuffle uniform uniform_like
""",
    },
    "mxnet.nd.sparse": {
        "classes": """
BaseSparseNDArray CSRNDArray RowSparseNDArray
""",
        "functions": """
ElementWiseSum Embedding FullyConnected LinearRegressionOutput LogisticRegressionOutput
MAERegressionOutput abs adagrad_update adam_update add add_n arccos arccosh arcsin arcsinh arctan
arctanh broadcast_add broadcast_div broadcast_minus broadcast_mul broadcast_plus broadcast_sub
cast_storage cbrt ceil clip concat cos cosh csr_matrix degrees divide dot elemwise_add
elemwise_div elemwise_mul elemwise_sub exp expm1 fix floor ftrl_update gamma gammaln log log10
log1p log2 make_loss mean multiply negative norm radians relu retain rint round row_sparse_array
rsqrt sgd_mom_update sgd_update sigmoid sign sin sinh slice sqrt square stop_gradient subtract sum
tan tanh trunc where zeros_like
""",
    },
    "mxnet.contrib": {
        "modules": """
autograd io nd ndarray onnx quant quantization sym symbol tensorboard text
""",
    },
    "mxnet.contrib.text": {
        "modules": """
embedding utils vocab
""",
    },
    "mxnet.contrib.text.embedding": {
        "classes": """
CompositeEmbedding CustomEmbedding FastText GloVe
""",
        "functions": """
create get_pretrained_file_names is_np_array register
""",
    },
    "mxnet.contrib.text.utils": {
        "functions": """
count_tokens_from_str
""",
    },
    "mxnet.contrib.text.vocab": {
        "classes": """
Vocabulary
""",
    },
    "mxnet.attribute": {
        "classes": """
AttrScope
""",
    },
    "mxnet.autograd": {
        "classes": """
Function
""",
        "functions": """
backward get_symbol grad is_recording is_training mark_variables pause predict_mode record
set_recording set_training train_mode
""",
    },
    "mxnet.base": {
        "classes": """
MXNetError
""",
    },
    "mxnet.callback": {
        "classes": """
LogValidationMetricsCallback ProgressBar Speedometer
""",
        "functions": """
do_checkpoint log_train_metric module_checkpoint save_checkpoint
""",
    },
    "mxnet.context": {
        "classes": """
Context
""",
        "functions": """
cpu cpu_pinned current_context gpu gpu_memory_info num_gpus
""",
    },
    "mxnet.engine": {
        "functions": """
bulk set_bulk_size
""",
    },
    "mxnet.error": {
        "functions": """
register
""",
    },
    "mxnet.executor": {
        "classes": """
Executor
""",
    },
    "mxnet.io": {
        "classes": """
DataBatch DataDesc DataIter MXDataIter NDArrayIter PrefetchingIter ResizeIter
""",
        "functions": """
CSVIter ImageDetRecordIter ImageRecordInt8Iter ImageRecordIter ImageRecordIter_v1
ImageRecordUInt8Iter ImageRecordUInt8Iter_v1 LibSVMIter MNISTIter
""",
        "modules": """
io utils
""",
    },
    "mxnet.kvstore": {
        "classes": """
KVStore KVStoreBase KVStoreServer
""",
        "functions": """
create
""",
        "modules": """
base kvstore kvstore_server
""",
    },
    "mxnet.libinfo": {
        "functions": """
find_conf_path find_include_path find_lib_path
""",
    },
    "mxnet.log": {
        "functions": """
getLogger get_logger
""",
        "values": """
CRITICAL DEBUG ERROR INFO NOTSET WARNING
""",
    },
    "mxnet.model": {
        "classes": """
BatchEndParam FeedForward
""",
        "functions": """
load_checkpoint load_params save_checkpoint
""",
        "values": """
SKLEARN_INSTALLED
""",
    },
    "mxnet.module": {
        "classes": """
BaseModule BucketingModule Module PythonLossModule PythonModule SequentialModule
""",
        "modules": """
base_module bucketing_module executor_group module python_module sequential_module
""",
    },
    "mxnet.monitor": {
        "classes": """
Monitor
""",
    },
    "mxnet.name": {
        "classes": """
NameManager Prefix
""",
    },
    "mxnet.operator": {
        "classes": """
CustomOp CustomOpProp NDArrayOp NumpyOp OperatorArguments PythonOp
""",
        "functions": """
get_all_registered_operators get_operator_arguments register
""",
    },
    "mxnet.profiler": {
        "classes": """
Counter Domain Event Frame Marker Task
""",
        "functions": """
dump dump_profile dumps pause profiler_set_config profiler_set_state resume set_config
set_kvstore_handle set_state
""",
    },
    "mxnet.random": {
        "functions": """
exponential gamma generalized_negative_binomial multinomial negative_binomial normal poisson
randint randn seed shuffle uniform
""",
    },
    "mxnet.recordio": {
        "classes": """
IRHeader MXIndexedRecordIO MXRecordIO
""",
        "functions": """
pack pack_img unpack unpack_img
""",
    },
    "mxnet.registry": {
        "functions": """
get_alias_func get_create_func get_register_func get_registry
""",
    },
    "mxnet.rnn": {
        "classes": """
BaseConvRNNCell BaseRNNCell BidirectionalCell BucketSentenceIter ConvGRUCell ConvLSTMCell
ConvRNNCell DataBatch DataDesc DataIter DropoutCell FusedRNNCell GRUCell LSTMCell ModifierCell
RNNCell RNNParams ResidualCell SequentialRNNCell ZoneoutCell
""",
        "functions": """
do_rnn_checkpoint encode_sentences load_checkpoint load_rnn_checkpoint rnn_unroll save_checkpoint
save_rnn_checkpoint
""",
        "modules": """
io rnn rnn_cell
""",
    },
    "mxnet.rtc": {
        "classes": """
CudaKernel CudaModule
""",
    },
    "mxnet.runtime": {
        "classes": """
Feature Features
""",
        "functions": """
feature_list
""",
    },
    "mxnet.symbol": {
        "classes": """
Symbol
""",
        "functions": """
Activation BatchNorm BatchNorm_v1 BilinearSampler BlockGrad CTCLoss Cast Concat Convolution
Convolution_v1 Correlation Crop Custom Deconvolution Dropout ElementWiseSum Embedding Flatten
FullyConnected GridGenerator Group GroupNorm IdentityAttachKLSparseReg InstanceNorm
L2Normalization LRN LayerNorm LeakyReLU LinearRegressionOutput LogisticRegressionOutput
MAERegressionOutput MakeLoss Pad Pooling Pooling_v1 RNN ROIPooling Reshape SVMOutput SequenceLast
SequenceMask SequenceReverse SliceChannel Softmax SoftmaxActivation SoftmaxOutput
SpatialTransformer SwapAxis UpSampling Variable abs adam_update add_n all_finite amp_cast
amp_multicast arange arccos arccosh arcsin arcsinh arctan arctanh argmax argmax_channel argmin
argsort batch_dot batch_take broadcast_add broadcast_axes broadcast_axis broadcast_div
broadcast_equal broadcast_greater broadcast_greater_equal broadcast_hypot broadcast_lesser
broadcast_lesser_equal broadcast_like broadcast_logical_and broadcast_logical_or
broadcast_logical_xor broadcast_maximum broadcast_minimum broadcast_minus broadcast_mod
broadcast_mul broadcast_not_equal broadcast_plus broadcast_power broadcast_sub broadcast_to cast
cast_storage cbrt ceil choose_element_0index clip col2im concat cos cosh crop ctc_loss cumsum
degrees depth_to_space diag dot elemwise_add elemwise_div elemwise_mul elemwise_sub erf erfinv exp
expand_dims expm1 eye fill_element_0index fix flatten flip floor ftml_update ftrl_update full
gamma gammaln gather_nd hard_sigmoid histogram hypot identity im2col khatri_rao lamb_update_phase1
lamb_update_phase2 linalg_det linalg_extractdiag linalg_extracttrian linalg_gelqf linalg_gemm
linalg_gemm2 linalg_inverse linalg_makediag linalg_maketrian linalg_potrf linalg_potri
linalg_slogdet linalg_sumlogdiag linalg_syrk linalg_trmm linalg_trsm linspace load load_json log
log10 log1p log2 log_softmax logical_not make_loss max max_axis maximum mean min min_axis minimum
moments mp_lamb_update_phase1 mp_lamb_update_phase2 mp_nag_mom_update mp_sgd_mom_update
mp_sgd_update multi_all_finite multi_lars multi_mp_sgd_mom_update multi_mp_sgd_update
multi_sgd_mom_update multi_sgd_update multi_sum_sq nag_mom_update nanprod nansum negative norm
normal one_hot ones ones_like pad pick pow power preloaded_multi_mp_sgd_mom_update
preloaded_multi_mp_sgd_update preloaded_multi_sgd_mom_update preloaded_multi_sgd_update prod
radians random_exponential random_gamma random_generalized_negative_binomial
random_negative_binomial random_normal random_pdf_dirichlet random_pdf_exponential
random_pdf_gamma random_pdf_generalized_negative_binomial random_pdf_negative_binomial
random_pdf_normal random_pdf_poisson random_pdf_uniform random_poisson random_randint
random_uniform ravel_multi_index rcbrt reciprocal relu repeat reset_arrays reshape reshape_like
reverse rint rmsprop_update rmspropalex_update round rsqrt sample_exponential sample_gamma
sample_generalized_negative_binomial sample_multinomial sample_negative_binomial sample_normal
sample_poisson sample_uniform scatter_nd sgd_mom_update sgd_update shape_array shuffle sigmoid
sign signsgd_update signum_update sin sinh size_array slice slice_axis slice_like smooth_l1
softmax softmax_cross_entropy softmin softsign sort space_to_depth split split_v2 sqrt square
squeeze stack stop_gradient sum sum_axis swapaxes take tan tanh tile topk transpose trunc uniform
unravel_index var where zeros zeros_like
""",
        "modules": """
contrib image linalg np npx numpy numpy_extension random register sparse symbol
""",
    },
    "mxnet.test_utils": {
        "classes": """
DummyIter
""",
        "functions": """
almost_equal assert_allclose assert_almost_equal assert_almost_equal_ignore_nan
assert_almost_equal_with_err assert_exception assign_each assign_each2 checkShapes
check_consistency check_gluon_hybridize_consistency check_numeric_gradient check_speed
check_symbolic_backward check_symbolic_forward chi_square_check collapse_sum_like
compare_ndarray_tuple compare_optimizer create_2d_tensor create_sparse_array
create_sparse_array_zd create_vector default_atols default_context default_dtype
default_numeric_eps default_rtols discard_stderr download download_model effective_dtype
environment gen_buckets_probs_with_ppf get_atol get_bz2_data get_cifar10 get_etol get_identity_mat
get_identity_mat_batch get_im2rec_path get_mnist get_mnist_iterator get_mnist_pkl get_mnist_ubyte
get_rtol get_tolerance get_tols get_zip_data has_tvm_ops is_aarch64_run is_cd_run is_op_runnable
list_gpus locationError mean_check new_matrix_with_real_eigvals_2d new_matrix_with_real_eigvals_nd
new_orthonormal_matrix_2d new_sym_matrix_with_real_eigvals_2d new_sym_matrix_with_real_eigvals_nd
np_reduce numeric_grad rand_coord_2d rand_ndarray rand_shape_2d rand_shape_3d rand_shape_nd
rand_sparse_ndarray random_arrays random_sample random_uniform_arrays retry same same_array
same_symbol_structure set_default_context shuffle_csr_column_indices simple_forward var_check
verify_generator
""",
    },
    "mxnet.util": {
        "functions": """
get_cuda_compute_capability get_gpu_count get_gpu_memory getenv is_np_array is_np_shape np_array
np_shape reset_np set_np set_np_shape setenv use_np use_np_array use_np_shape
""",
    },
    "mxnet.visualization": {
        "functions": """
plot_network print_summary
""",
    },
    "mxnet.gluon": {
        "classes": """
Block:mxnet.gluon.block.Block Constant:mxnet.gluon.parameter.Constant
DeferredInitializationError:mxnet.gluon.parameter.DeferredInitializationError
HybridBlock:mxnet.gluon.block.HybridBlock Parameter:mxnet.gluon.parameter.Parameter
ParameterDict:mxnet.gluon.parameter.ParameterDict SymbolBlock:mxnet.gluon.block.SymbolBlock
Trainer:mxnet.gluon.trainer.Trainer
""",
        "modules": """
block contrib data loss model_zoo nn parameter rnn trainer utils
""",
    },
    "mxnet.gluon.block": {
        "classes": """
Block HybridBlock SymbolBlock
""",
    },
    "mxnet.gluon.contrib": {
        "modules": """
cnn data estimator nn rnn
""",
    },
    "mxnet.gluon.data": {
        "classes": """
ArrayDataset:mxnet.gluon.data.dataset.ArrayDataset
BatchSampler:mxnet.gluon.data.sampler.BatchSampler
DataLoader:mxnet.gluon.data.dataloader.DataLoader Dataset:mxnet.gluon.data.dataset.Dataset
FilterSampler:mxnet.gluon.data.sampler.FilterSampler
RandomSampler:mxnet.gluon.data.sampler.RandomSampler
RecordFileDataset:mxnet.gluon.data.dataset.RecordFileDataset
Sampler:mxnet.gluon.data.sampler.Sampler
SequentialSampler:mxnet.gluon.data.sampler.SequentialSampler
SimpleDataset:mxnet.gluon.data.dataset.SimpleDataset
""",
        "modules": """
dataloader dataset sampler vision
""",
    },
    "mxnet.gluon.data.vision": {
        "classes": """
CIFAR10:mxnet.gluon.data.vision.datasets.CIFAR10
CIFAR100:mxnet.gluon.data.vision.datasets.CIFAR100
FashionMNIST:mxnet.gluon.data.vision.datasets.FashionMNIST
ImageFolderDataset:mxnet.gluon.data.vision.datasets.ImageFolderDataset
ImageRecordDataset:mxnet.gluon.data.vision.datasets.ImageRecordDataset
MNIST:mxnet.gluon.data.vision.datasets.MNIST
""",
        "modules": """
datasets transforms
""",
    },
    "mxnet.gluon.data.vision.transforms": {
        "classes": """
Cast CenterCrop Compose CropResize Normalize RandomApply RandomBrightness RandomColorJitter
RandomContrast RandomFlipLeftRight RandomFlipTopBottom RandomHue RandomLighting RandomResizedCrop
RandomRotation RandomSaturation Resize Rotate ToTensor
""",
        "functions": """
is_np_array
""",
    },
    "mxnet.gluon.loss": {
        "classes": """
CTCLoss CosineEmbeddingLoss HingeLoss HuberLoss KLDivLoss L1Loss L2Loss LogisticLoss Loss
PoissonNLLLoss SDMLLoss SigmoidBCELoss:mxnet.gluon.loss.SigmoidBinaryCrossEntropyLoss
SigmoidBinaryCrossEntropyLoss SoftmaxCELoss:mxnet.gluon.loss.SoftmaxCrossEntropyLoss
SoftmaxCrossEntropyLoss SquaredHingeLoss TripletLoss
""",
    },
    "mxnet.gluon.model_zoo": {
        "modules": """
model_store vision
""",
    },
    "mxnet.gluon.model_zoo.vision": {
        "classes": """
AlexNet:mxnet.gluon.model_zoo.vision.alexnet.AlexNet
BasicBlockV1:mxnet.gluon.model_zoo.vision.resnet.BasicBlockV1
BasicBlockV2:mxnet.gluon.model_zoo.vision.resnet.BasicBlockV2
BottleneckV1:mxnet.gluon.model_zoo.vision.resnet.BottleneckV1
BottleneckV2:mxnet.gluon.model_zoo.vision.resnet.BottleneckV2
DenseNet:mxnet.gluon.model_zoo.vision.densenet.DenseNet
Inception3:mxnet.gluon.model_zoo.vision.inception.Inception3
MobileNet:mxnet.gluon.model_zoo.vision.mobilenet.MobileNet
MobileNetV2:mxnet.gluon.model_zoo.vision.mobilenet.MobileNetV2
ResNetV1:mxnet.gluon.model_zoo.vision.resnet.ResNetV1
ResNetV2:mxnet.gluon.model_zoo.vision.resnet.ResNetV2
SqueezeNet:mxnet.gluon.model_zoo.vision.squeezenet.SqueezeNet
VGG:mxnet.gluon.model_zoo.vision.vgg.VGG
""",
        "functions": """
alexnet densenet121 densenet161 densenet169 densenet201 get_mobilenet get_mobilenet_v2 get_model
get_resnet get_vgg inception_v3 mobilenet0_25 mobilenet0_5 mobilenet0_75 mobilenet1_0
mobilenet_v2_0_25 mobilenet_v2_0_5 mobilenet_v2_0_75 mobilenet_v2_1_0 resnet101_v1 resnet101_v2
resnet152_v1 resnet152_v2 resnet18_v1 resnet18_v2 resnet34_v1 resnet34_v2 resnet50_v1 resnet50_v2
squeezenet1_0 squeezenet1_1 vgg11 vgg11_bn vgg13 vgg13_bn vgg16 vgg16_bn vgg19 vgg19_bn
""",
        "modules": """
densenet inception mobilenet resnet squeezenet vgg
""",
    },
    "mxnet.gluon.nn": {
        "classes": """
Activation:mxnet.gluon.nn.activations.Activation AvgPool1D:mxnet.gluon.nn.conv_layers.AvgPool1D
AvgPool2D:mxnet.gluon.nn.conv_layers.AvgPool2D AvgPool3D:mxnet.gluon.nn.conv_layers.AvgPool3D
BatchNorm:mxnet.gluon.nn.basic_layers.BatchNorm
BatchNormReLU:mxnet.gluon.nn.basic_layers.BatchNormReLU Block:mxnet.gluon.block.Block
Conv1D:mxnet.gluon.nn.conv_layers.Conv1D
Conv1DTranspose:mxnet.gluon.nn.conv_layers.Conv1DTranspose
Conv2D:mxnet.gluon.nn.conv_layers.Conv2D
Conv2DTranspose:mxnet.gluon.nn.conv_layers.Conv2DTranspose
Conv3D:mxnet.gluon.nn.conv_layers.Conv3D
Conv3DTranspose:mxnet.gluon.nn.conv_layers.Conv3DTranspose Dense:mxnet.gluon.nn.basic_layers.Dense
Dropout:mxnet.gluon.nn.basic_layers.Dropout ELU:mxnet.gluon.nn.activations.ELU
Embedding:mxnet.gluon.nn.basic_layers.Embedding Flatten:mxnet.gluon.nn.basic_layers.Flatten
GELU:mxnet.gluon.nn.activations.GELU GlobalAvgPool1D:mxnet.gluon.nn.conv_layers.GlobalAvgPool1D
GlobalAvgPool2D:mxnet.gluon.nn.conv_layers.GlobalAvgPool2D
GlobalAvgPool3D:mxnet.gluon.nn.conv_layers.GlobalAvgPool3D
GlobalMaxPool1D:mxnet.gluon.nn.conv_layers.GlobalMaxPool1D
GlobalMaxPool2D:mxnet.gluon.nn.conv_layers.GlobalMaxPool2D
GlobalMaxPool3D:mxnet.gluon.nn.conv_layers.GlobalMaxPool3D
GroupNorm:mxnet.gluon.nn.basic_layers.GroupNorm HybridBlock:mxnet.gluon.block.HybridBlock
HybridLambda:mxnet.gluon.nn.basic_layers.HybridLambda
HybridSequential:mxnet.gluon.nn.basic_layers.HybridSequential
InstanceNorm:mxnet.gluon.nn.basic_layers.InstanceNorm Lambda:mxnet.gluon.nn.basic_layers.Lambda
LayerNorm:mxnet.gluon.nn.basic_layers.LayerNorm LeakyReLU:mxnet.gluon.nn.activations.LeakyReLU
MaxPool1D:mxnet.gluon.nn.conv_layers.MaxPool1D MaxPool2D:mxnet.gluon.nn.conv_layers.MaxPool2D
MaxPool3D:mxnet.gluon.nn.conv_layers.MaxPool3D PReLU:mxnet.gluon.nn.activations.PReLU
ReflectionPad2D:mxnet.gluon.nn.conv_layers.ReflectionPad2D SELU:mxnet.gluon.nn.activations.SELU
Sequential:mxnet.gluon.nn.basic_layers.Sequential Swish:mxnet.gluon.nn.activations.Swish
SymbolBlock:mxnet.gluon.block.SymbolBlock
""",
        "modules": """
activations basic_layers conv_layers
""",
    },
    "mxnet.gluon.parameter": {
        "classes": """
Constant DeferredInitializationError Parameter ParameterDict
""",
    },
    "mxnet.gluon.rnn": {
        "classes": """
BidirectionalCell:mxnet.gluon.rnn.rnn_cell.BidirectionalCell
DropoutCell:mxnet.gluon.rnn.rnn_cell.DropoutCell GRU:mxnet.gluon.rnn.rnn_layer.GRU
GRUCell:mxnet.gluon.rnn.rnn_cell.GRUCell
HybridRecurrentCell:mxnet.gluon.rnn.rnn_cell.HybridRecurrentCell
HybridSequentialRNNCell:mxnet.gluon.rnn.rnn_cell.HybridSequentialRNNCell
LSTM:mxnet.gluon.rnn.rnn_layer.LSTM LSTMCell:mxnet.gluon.rnn.rnn_cell.LSTMCell
ModifierCell:mxnet.gluon.rnn.rnn_cell.ModifierCell RNN:mxnet.gluon.rnn.rnn_layer.RNN
RNNCell:mxnet.gluon.rnn.rnn_cell.RNNCell RecurrentCell:mxnet.gluon.rnn.rnn_cell.RecurrentCell
ResidualCell:mxnet.gluon.rnn.rnn_cell.ResidualCell
SequentialRNNCell:mxnet.gluon.rnn.rnn_cell.SequentialRNNCell
ZoneoutCell:mxnet.gluon.rnn.rnn_cell.ZoneoutCell
""",
        "modules": """
rnn_cell rnn_layer
""",
    },
    "mxnet.gluon.trainer": {
        "classes": """
Trainer
""",
    },
    "mxnet.gluon.utils": {
        "functions": """
check_sha1 clip_global_norm download replace_file split_and_load split_data
""",
    },
    "mxnet.image": {
        "classes": """
Augmenter BrightnessJitterAug CastAug CenterCropAug ColorJitterAug ColorNormalizeAug
ContrastJitterAug DetAugmenter DetBorrowAug DetHorizontalFlipAug DetRandomCropAug DetRandomPadAug
DetRandomSelectAug ForceResizeAug HorizontalFlipAug HueJitterAug ImageDetIter ImageIter
LightingAug RandomCropAug RandomGrayAug RandomOrderAug RandomSizedCropAug ResizeAug
SaturationJitterAug SequentialAug
""",
        "functions": """
CreateAugmenter CreateDetAugmenter CreateMultiRandCropAugmenter center_crop color_normalize
copyMakeBorder fixed_crop imdecode imread imresize imrotate is_np_array random_crop random_rotate
random_size_crop resize_short scale_down
""",
        "modules": """
det detection image
""",
    },
    "mxnet.initializer": {
        "classes": """
Bilinear Constant FusedRNN InitDesc Initializer LSTMBias Load MSRAPrelu Mixed Normal One
Orthogonal Uniform Xavier Zero
""",
        "functions": """
alias create is_np_array load register
""",
    },
    "mxnet.lr_scheduler": {
        "classes": """
CosineScheduler FactorScheduler LRScheduler MultiFactorScheduler PolyScheduler
""",
        "values": """
pi
""",
    },
    "mxnet.metric": {
        "classes": """
Accuracy Caffe CompositeEvalMetric CrossEntropy CustomMetric EvalMetric F1 Loss MAE MCC MSE
NegativeLogLikelihood PCC PearsonCorrelation Perplexity RMSE TopKAccuracy Torch
""",
        "functions": """
alias check_label_shapes create np register
""",
    },
    "mxnet.optimizer": {
        "classes": """
AdaDelta AdaGrad Adam Adamax DCASGD FTML Ftrl LAMB LARS LBSGD NAG Nadam Optimizer RMSProp SGD SGLD
Signum Test Updater ccSGD
""",
        "functions": """
NDabs create get_updater register
""",
        "modules": """
contrib
""",
    },
    "mxnet.np.ndarray": {
        "values": """
T all any argmax argmin argsort as_in_context as_in_ctx as_nd_ndarray as_np_ndarray asnumpy astype
attach_grad backward broadcast_to clip context copy copyto ctx cumsum detach dot dtype flatten
grad handle item max mean min ndim nonzero prod repeat reshape reshape_view round shape size
slice_assign slice_assign_scalar squeeze std stype sum swapaxes take to_dlpack_for_read
to_dlpack_for_write tolist transpose var wait_to_read writable
""",
    },
    "mxnet.nd.NDArray": {
        "values": """
T abs arccos arccosh arcsin arcsinh arctan arctanh argmax argmax_channel argmin argsort
as_in_context as_nd_ndarray as_np_ndarray asnumpy asscalar astype attach_grad backward
broadcast_axes broadcast_like broadcast_to cbrt ceil clip context copy copyto cos cosh ctx degrees
depth_to_space detach diag dtype exp expand_dims expm1 fix flatten flip floor grad handle log
log10 log1p log2 log_softmax max mean min nanprod nansum ndim norm one_hot ones_like pad pick prod
radians rcbrt reciprocal relu repeat reshape reshape_like rint round rsqrt shape shape_array
sigmoid sign sin sinh size size_array slice slice_assign slice_assign_scalar slice_axis slice_like
softmax softmin sort space_to_depth split split_v2 sqrt square squeeze stype sum swapaxes take tan
tanh tile to_dlpack_for_read to_dlpack_for_write topk tostype transpose trunc wait_to_read
writable zeros_like
""",
    },
}
