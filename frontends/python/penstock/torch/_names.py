"""The public names of PyTorch 2.15.0 and torchvision 0.29.2.

Recorded by tests/conformance/record_torch_names.py, never edited. For each module its classes,
functions, modules and other values.
"""

NAMES = {
    "torch": {
        "classes": """
AcceleratorError BFloat16Storage BFloat16Tensor BoolStorage BoolTensor ByteStorage ByteTensor
CharStorage CharTensor ComplexDoubleStorage ComplexFloatStorage DoubleStorage DoubleTensor Event
FloatStorage FloatTensor Generator GradScaler HalfStorage HalfTensor IntStorage IntTensor
LongStorage LongTensor OutOfMemoryError QInt32Storage QInt8Storage QUInt2x4Storage QUInt4x2Storage
QUInt8Storage ShortStorage ShortTensor Size Storage Stream SymBool SymFloat SymInt Tensor
TypedStorage UntypedStorage autocast device dtype enable_grad finfo iinfo inference_mode layout
memory_format no_grad qscheme set_grad_enabled
""",
        "functions": """
abs abs_ absolute acos acos_ acosh acosh_ adaptive_avg_pool1d adaptive_max_pool1d add addbmm
addcdiv addcmul addmm addmv addmv_ addr adjoint affine_grid_generator alias_copy all allclose
alpha_dropout alpha_dropout_ amax amin aminmax angle any arange arccos arccos_ arccosh arccosh_
arcsin arcsin_ arcsinh arcsinh_ arctan arctan2 arctan_ arctanh arctanh_
are_deterministic_algorithms_enabled argmax argmin argsort argwhere as_strided as_strided_
as_strided_copy as_strided_scatter as_tensor asarray asin asin_ asinh asinh_ atan atan2 atan_
atanh atanh_ atleast_1d atleast_2d atleast_3d autocast_decrement_nesting
autocast_increment_nesting avg_pool1d baddbmm bartlett_window batch_norm batch_norm_backward_elemt
batch_norm_backward_reduce batch_norm_elemt batch_norm_gather_stats
batch_norm_gather_stats_with_counts batch_norm_stats batch_norm_update_stats bernoulli bilinear
binary_cross_entropy_with_logits bincount binomial bitwise_and bitwise_left_shift bitwise_not
bitwise_or bitwise_right_shift bitwise_xor blackman_window block_diag bmm broadcast_shapes
broadcast_tensors broadcast_to bucketize can_cast cartesian_prod cat ccol_indices_copy cdist ceil
ceil_ celu celu_ chain_matmul channel_shuffle cholesky cholesky_inverse cholesky_solve
choose_qparams_optimized chunk clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_
clear_autocast_cache clip clip_ clone col_indices_copy column_stack combinations compile
compiled_with_cxx11_abi complex concat concatenate cond conj conj_physical conj_physical_
constant_pad_nd conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d
convolution copysign corrcoef cos cos_ cosh cosh_ cosine_embedding_loss cosine_similarity
count_nonzero cov cross crow_indices_copy ctc_loss cudnn_affine_grid_generator cudnn_batch_norm
cudnn_convolution cudnn_convolution_add_relu cudnn_convolution_relu cudnn_convolution_transpose
cudnn_grid_sampler cudnn_is_acceptable cummax cummin cumprod cumsum cumulative_trapezoid deg2rad
deg2rad_ dequantize det detach detach_ detach_copy diag diag_embed diagflat diagonal diagonal_copy
diagonal_scatter diff digamma dist div divide dot dropout dropout_ dsmm dsplit dstack eig einsum
embedding embedding_bag embedding_renorm_ empty empty_like empty_permuted empty_quantized
empty_strided eq equal erf erf_ erfc erfc_ erfinv exp exp2 exp2_ exp_ expand_copy expm1 expm1_ eye
fake_quantize_per_channel_affine fake_quantize_per_tensor_affine fbgemm_linear_fp16_weight
fbgemm_linear_fp16_weight_fp32_activation fbgemm_linear_int8_weight
fbgemm_linear_int8_weight_fp32_activation fbgemm_linear_quantize_weight
fbgemm_pack_gemm_matrix_fp16 fbgemm_pack_quantized_matrix feature_alpha_dropout
feature_alpha_dropout_ feature_dropout feature_dropout_ fill fill_ fix fix_ flatten flip fliplr
flipud float_power floor floor_ floor_divide fmax fmin fmod fork frac frac_ frexp frobenius_norm
from_dlpack from_file from_numpy frombuffer full full_like fused_moving_avg_obs_fake_quant gather
gcd gcd_ ge geqrf ger get_autocast_cpu_dtype get_autocast_dtype get_autocast_gpu_dtype
get_autocast_ipu_dtype get_autocast_xla_dtype get_default_device get_default_dtype
get_deterministic_debug_mode get_device get_device_module get_float32_matmul_precision
get_num_interop_threads get_num_threads get_rng_state gradient greater greater_equal grid_sampler
grid_sampler_2d grid_sampler_3d group_norm gru gru_cell gt hamming_window hann_window hardshrink
hash_tensor heaviside hinge_embedding_loss histc histogram histogramdd hsmm hsplit hspmm hstack
hypot i0 i0_ igamma igammac imag import_ir_module import_ir_module_from_buffer index_add
index_copy index_fill index_put index_put_ index_reduce index_select indices_copy init_num_threads
initial_seed inner instance_norm int_repr inverse is_anomaly_check_nan_enabled is_anomaly_enabled
is_autocast_cache_enabled is_autocast_cpu_enabled is_autocast_enabled is_autocast_ipu_enabled
is_autocast_xla_enabled is_complex is_conj is_deterministic_algorithms_warn_only_enabled
is_distributed is_floating_point is_grad_enabled is_inference is_inference_mode_enabled is_neg
is_nonzero is_same_size is_signed is_storage is_tensor is_vulkan_available is_warn_always_enabled
isclose isfinite isin isinf isnan isneginf isposinf isreal istft kaiser_window kl_div kron
kthvalue layer_norm lcm lcm_ ldexp ldexp_ le lerp less less_equal lgamma linspace load lobpcg log
log10 log10_ log1p log1p_ log2 log2_ log_ log_softmax logaddexp logaddexp2 logcumsumexp logdet
logical_and logical_not logical_or logical_xor logit logit_ logspace logsumexp lstm lstm_cell
lstsq lt lu lu_solve lu_unpack manual_seed margin_ranking_loss masked_fill masked_scatter
masked_select matmul matrix_exp matrix_power matrix_rank max max_pool1d max_pool1d_with_indices
max_pool2d max_pool3d maximum mean median merge_type_from_type_comment meshgrid min minimum
miopen_batch_norm miopen_convolution miopen_convolution_add_relu miopen_convolution_relu
miopen_convolution_transpose miopen_ctc_loss miopen_depthwise_convolution miopen_rnn
mkldnn_adaptive_avg_pool2d mkldnn_convolution mkldnn_linear_backward_weights mkldnn_max_pool2d
mkldnn_max_pool3d mkldnn_rnn_layer mm mode moveaxis movedim msort mul multinomial multiply mv
mvlgamma nan_to_num nan_to_num_ nanmean nanmedian nanquantile nansum narrow narrow_copy
native_batch_norm native_channel_shuffle native_dropout native_group_norm native_layer_norm
native_norm ne neg neg_ negative negative_ nextafter nonzero nonzero_static norm norm_except_dim
normal not_equal nuclear_norm numel ones ones_like orgqr ormqr outer pairwise_distance parse_ir
parse_schema parse_type_comment pca_lowrank pdist permute permute_copy pinverse pixel_shuffle
pixel_unshuffle poisson poisson_nll_loss polar polygamma positive pow prelu prod promote_types put
q_per_channel_axis q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point qr quantile
quantize_per_channel quantize_per_tensor quantize_per_tensor_dynamic quantized_batch_norm
quantized_gru quantized_gru_cell quantized_lstm quantized_lstm_cell quantized_max_pool1d
quantized_max_pool2d quantized_max_pool3d quantized_rnn_relu_cell quantized_rnn_tanh_cell rad2deg
rad2deg_ rand rand_like randint randint_like randn randn_like randperm range ravel real reciprocal
reciprocal_ relu relu_ remainder renorm repeat_interleave reshape resize_as_ resize_as_sparse_
resolve_conj resolve_neg result_type rms_norm rnn_relu rnn_relu_cell rnn_tanh rnn_tanh_cell roll
rot90 round round_ row_indices_copy row_stack rrelu rrelu_ rsqrt rsqrt_ rsub saddmm save
scalar_tensor scatter scatter_add scatter_reduce searchsorted seed segment_reduce select
select_copy select_scatter selu selu_ set_anomaly_enabled set_autocast_cache_enabled
set_autocast_cpu_dtype set_autocast_cpu_enabled set_autocast_dtype set_autocast_enabled
set_autocast_gpu_dtype set_autocast_ipu_dtype set_autocast_ipu_enabled set_autocast_xla_dtype
set_autocast_xla_enabled set_default_device set_default_dtype set_default_tensor_type
set_deterministic_debug_mode set_float32_matmul_precision set_flush_denormal
set_num_interop_threads set_num_threads set_printoptions set_rng_state set_warn_always sgn sigmoid
sigmoid_ sign signbit sin sin_ sinc sinc_ sinh sinh_ slice_copy slice_inverse slice_scatter
slogdet smm softmax solve sort sparse_bsc_tensor sparse_bsr_tensor sparse_compressed_tensor
sparse_coo_tensor sparse_csc_tensor sparse_csr_tensor split split_copy split_with_sizes
split_with_sizes_copy spmm sqrt sqrt_ square square_ squeeze squeeze_copy sspaddmm stack std
std_mean stft sub subtract sum svd svd_lowrank swapaxes swapdims sym_constrain_range
sym_constrain_range_for_size sym_float sym_fresh_size sym_int sym_ite sym_max sym_min sym_not
sym_sqrt sym_sum symeig t t_copy take take_along_dim tan tan_ tanh tanh_ tensor tensor_split
tensordot thread_safe_generator threshold threshold_ tile to_dlpack topk trace transpose
transpose_copy trapezoid trapz triangular_solve tril tril_indices triplet_margin_loss triu
triu_indices true_divide trunc trunc_ typename unbind unbind_copy unflatten unfold_copy
unify_type_list unique unique_consecutive unravel_index unsafe_chunk unsafe_split
unsafe_split_with_sizes unsqueeze unsqueeze_copy use_deterministic_algorithms values_copy vander
var var_mean vdot view_as_complex view_as_complex_copy view_as_real view_as_real_copy view_copy
vmap vsplit vstack wait where while_loop xlogy xlogy_ zero_ zeros zeros_like
""",
        "modules": """
accelerator amp ao autograd backends classes compiler contrib cpp cpu cuda distributed
distributions export fft foreach func functional futures fx hub jit library linalg masked monitor
mps mtia multiprocessing nativert nested nn numa onnx ops optim overrides package profiler
quantization quasirandom random return_types serialization signal sparse special storage testing
torch_version types utils version xpu
""",
        "values": """
AVG SUM bcomplex32 bfloat16 bit bits16 bits1x8 bits2x4 bits4x2 bits8 bool cdouble cfloat chalf
channels_last channels_last_3d complex128 complex32 complex64 contiguous_format default_generator
double e float float16 float32 float4_e2m1fn_x2 float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2
float8_e5m2fnuz float8_e8m0fnu half has_lapack has_mkl has_openmp has_spectral inf int int1 int16
int2 int3 int32 int4 int5 int6 int64 int7 int8 jagged legacy_contiguous_format long nan newaxis
per_channel_affine per_channel_affine_float_qparams per_channel_symmetric per_tensor_affine
per_tensor_symmetric pi preserve_format qint32 qint8 quint2x4 quint4x2 quint8 short sparse_bsc
sparse_bsr sparse_coo sparse_csc sparse_csr strided uint1 uint16 uint2 uint3 uint32 uint4 uint5
uint6 uint64 uint7 uint8
""",
    },
    "torch.Tensor": {
        "functions": """
abs abs_ absolute absolute_ acos acos_ acosh acosh_ add add_ addbmm addbmm_ addcdiv addcdiv_
addcmul addcmul_ addmm addmm_ addmv addmv_ addr addr_ adjoint all allclose amax amin aminmax angle
any apply_ arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan arctan2 arctan2_
arctan_ arctanh arctanh_ argmax argmin argsort argwhere as_strided as_strided_ as_strided_scatter
as_subclass asin asin_ asinh asinh_ atan atan2 atan2_ atan_ atanh atanh_ backward baddbmm baddbmm_
bernoulli bernoulli_ bfloat16 bincount bitwise_and bitwise_and_ bitwise_left_shift
bitwise_left_shift_ bitwise_not bitwise_not_ bitwise_or bitwise_or_ bitwise_right_shift
bitwise_right_shift_ bitwise_xor bitwise_xor_ bmm bool broadcast_to byte cauchy_ ccol_indices
cdouble ceil ceil_ cfloat chalf char cholesky cholesky_inverse cholesky_solve chunk clamp clamp_
clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ clone coalesce col_indices conj conj_physical
conj_physical_ const_data_ptr contiguous copy_ copysign copysign_ corrcoef cos cos_ cosh cosh_
count_nonzero cov cpu cross crow_indices cuda cummax cummin cumprod cumprod_ cumsum cumsum_
data_ptr deg2rad deg2rad_ dense_dim dequantize det detach detach_ diag diag_embed diagflat
diagonal diagonal_scatter diff digamma digamma_ dim dim_order dist div div_ divide divide_ dot
double dsplit eig element_size eq eq_ equal erf erf_ erfc erfc_ erfinv erfinv_ exp exp2 exp2_ exp_
expand expand_as expm1 expm1_ exponential_ fill_ fill_diagonal_ fix fix_ flatten flip fliplr
flipud float float_power float_power_ floor floor_ floor_divide floor_divide_ fmax fmin fmod fmod_
frac frac_ frexp gather gcd gcd_ ge ge_ geometric_ geqrf ger get_device greater greater_
greater_equal greater_equal_ gt gt_ half hardshrink hash_tensor heaviside heaviside_ histc
histogram hsplit hypot hypot_ i0 i0_ igamma igamma_ igammac igammac_ index index_add index_add_
index_copy index_copy_ index_fill index_fill_ index_put index_put_ index_reduce index_reduce_
index_select indices inner int int_repr inverse ipu is_coalesced is_complex is_conj is_contiguous
is_distributed is_floating_point is_inference is_neg is_nonzero is_pinned is_same_size is_set_to
is_shared is_signed isclose isfinite isinf isnan isneginf isposinf isreal istft item kron kthvalue
lcm lcm_ ldexp ldexp_ le le_ lerp lerp_ less less_ less_equal less_equal_ lgamma lgamma_ log log10
log10_ log1p log1p_ log2 log2_ log_ log_normal_ log_softmax logaddexp logaddexp2 logcumsumexp
logdet logical_and logical_and_ logical_not logical_not_ logical_or logical_or_ logical_xor
logical_xor_ logit logit_ logsumexp long lstsq lt lt_ lu lu_solve map2_ map_ masked_fill
masked_fill_ masked_scatter masked_scatter_ masked_select matmul matrix_exp matrix_power max
maximum mean median min minimum mm mode module_load moveaxis movedim msort mtia mul mul_
multinomial multiply multiply_ mv mvlgamma mvlgamma_ nan_to_num nan_to_num_ nanmean nanmedian
nanquantile nansum narrow narrow_copy ndimension ne ne_ neg neg_ negative negative_ nelement new
new_empty new_empty_strided new_full new_ones new_tensor new_zeros nextafter nextafter_ nonzero
nonzero_static norm normal_ not_equal not_equal_ numel numpy orgqr ormqr outer permute pin_memory
pinverse polygamma polygamma_ positive pow pow_ prelu prod put put_ q_per_channel_axis
q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point qr qscheme quantile rad2deg
rad2deg_ random_ ravel reciprocal reciprocal_ record_stream register_hook
register_post_accumulate_grad_hook reinforce relu relu_ remainder remainder_ renorm renorm_ repeat
repeat_interleave requires_grad_ reshape reshape_as resize resize_ resize_as resize_as_
resize_as_sparse_ resolve_conj resolve_neg retain_grad roll rot90 round round_ row_indices rsqrt
rsqrt_ scatter scatter_ scatter_add scatter_add_ scatter_reduce scatter_reduce_ select
select_scatter set_ sgn sgn_ share_memory_ short sigmoid sigmoid_ sign sign_ signbit sin sin_ sinc
sinc_ sinh sinh_ size slice_inverse slice_scatter slogdet smm softmax solve sort sparse_dim
sparse_mask sparse_resize_ sparse_resize_and_clear_ split split_with_sizes sqrt sqrt_ square
square_ squeeze squeeze_ sspaddmm std stft storage storage_offset storage_type stride sub sub_
subtract subtract_ sum sum_to_size svd swapaxes swapaxes_ swapdims swapdims_ symeig t t_ take
take_along_dim tan tan_ tanh tanh_ tensor_split tile to to_dense to_mkldnn to_padded_tensor
to_sparse to_sparse_bsc to_sparse_bsr to_sparse_coo to_sparse_csc to_sparse_csr tolist topk trace
transpose transpose_ triangular_solve tril tril_ triu triu_ true_divide true_divide_ trunc trunc_
type type_as unbind unflatten unfold uniform_ unique unique_consecutive unsafe_chunk unsafe_split
unsafe_split_with_sizes unsqueeze unsqueeze_ untyped_storage values var vdot view view_as vsplit
where xlogy xlogy_ xpu zero_
""",
        "values": """
H T data device dtype grad grad_dtype grad_fn imag is_cpu is_cuda is_ipu is_leaf is_maia is_meta
is_mkldnn is_mps is_mtia is_nested is_quantized is_sparse is_sparse_csr is_vulkan is_xla is_xpu
itemsize layout mH mT name nbytes ndim output_nr real requires_grad retains_grad shape volatile
""",
    },
    "torch.nn": {
        "classes": """
AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveLogSoftmaxWithLoss AdaptiveMaxPool1d
AdaptiveMaxPool2d AdaptiveMaxPool3d AlphaDropout AvgPool1d AvgPool2d AvgPool3d BCELoss
BCEWithLogitsLoss BatchNorm1d BatchNorm2d BatchNorm3d Bilinear Buffer CELU CTCLoss ChannelShuffle
CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d Container
Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d CosineEmbeddingLoss
CosineSimilarity CrossEntropyLoss CrossMapLRN2d DataParallel Dropout Dropout1d Dropout2d Dropout3d
ELU Embedding EmbeddingBag FeatureAlphaDropout Flatten Fold FractionalMaxPool2d
FractionalMaxPool3d GELU GLU GRU GRUCell GaussianNLLLoss GroupNorm Hardshrink Hardsigmoid
Hardswish Hardtanh HingeEmbeddingLoss HuberLoss Identity InstanceNorm1d InstanceNorm2d
InstanceNorm3d KLDivLoss L1Loss LPPool1d LPPool2d LPPool3d LSTM LSTMCell LayerNorm LazyBatchNorm1d
LazyBatchNorm2d LazyBatchNorm3d LazyConv1d LazyConv2d LazyConv3d LazyConvTranspose1d
LazyConvTranspose2d LazyConvTranspose3d LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d
LazyLinear LeakyReLU Linear LinearCrossEntropyLoss LinearCrossEntropyOptions LocalResponseNorm
LogSigmoid LogSoftmax MSELoss MarginRankingLoss MaxPool1d MaxPool2d MaxPool3d MaxUnpool1d
MaxUnpool2d MaxUnpool3d Mish Module ModuleDict ModuleList MultiLabelMarginLoss
MultiLabelSoftMarginLoss MultiMarginLoss MultiheadAttention NLLLoss NLLLoss2d PReLU
PairwiseDistance Parameter ParameterDict ParameterList PixelShuffle PixelUnshuffle PoissonNLLLoss
RMSNorm RNN RNNBase RNNCell RNNCellBase RReLU ReLU ReLU6 ReflectionPad1d ReflectionPad2d
ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d SELU Sequential SiLU Sigmoid
SmoothL1Loss SoftMarginLoss Softmax Softmax2d Softmin Softplus Softshrink Softsign SyncBatchNorm
Tanh Tanhshrink Threshold Transformer TransformerDecoder TransformerDecoderLayer
TransformerEncoder TransformerEncoderLayer TripletMarginLoss TripletMarginWithDistanceLoss
Unflatten Unfold UninitializedBuffer UninitializedParameter Upsample UpsamplingBilinear2d
UpsamplingNearest2d ZeroPad1d ZeroPad2d ZeroPad3d
""",
        "modules": """
attention backends common_types cpp functional grad init intrinsic modules parallel parameter qat
quantizable quantized utils
""",
    },
    "torch.nn.functional": {
        "classes": """
ScalingType SwizzleType
""",
        "functions": """
adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d
adaptive_max_pool1d_with_indices adaptive_max_pool2d adaptive_max_pool2d_with_indices
adaptive_max_pool3d adaptive_max_pool3d_with_indices affine_grid alpha_dropout avg_pool1d
avg_pool2d avg_pool3d batch_norm bilinear binary_cross_entropy binary_cross_entropy_with_logits
celu celu_ channel_shuffle conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d
conv_transpose3d cosine_embedding_loss cosine_similarity cross_entropy ctc_loss dropout dropout1d
dropout2d dropout3d elu elu_ embedding embedding_bag feature_alpha_dropout fold
fractional_max_pool2d fractional_max_pool2d_with_indices fractional_max_pool3d
fractional_max_pool3d_with_indices gaussian_nll_loss gelu glu grid_sample group_norm grouped_mm
gumbel_softmax hardshrink hardsigmoid hardswish hardtanh hardtanh_ hinge_embedding_loss huber_loss
instance_norm interpolate kl_div l1_loss layer_norm leaky_relu leaky_relu_ linear
linear_cross_entropy local_response_norm log_softmax logsigmoid lp_pool1d lp_pool2d lp_pool3d
margin_ranking_loss max_pool1d max_pool1d_with_indices max_pool2d max_pool2d_with_indices
max_pool3d max_pool3d_with_indices max_unpool1d max_unpool2d max_unpool3d mish mse_loss
multi_head_attention_forward multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss
native_channel_shuffle nll_loss normalize one_hot pad pairwise_distance pdist pixel_shuffle
pixel_unshuffle poisson_nll_loss prelu relu relu6 relu_ rms_norm rrelu rrelu_ scaled_addmm
scaled_addmm_ scaled_dot_product_attention scaled_grouped_mm scaled_mm selu selu_ sigmoid silu
smooth_l1_loss soft_margin_loss softmax softmin softplus softshrink softsign tanh tanhshrink
threshold threshold_ triplet_margin_loss triplet_margin_with_distance_loss unfold upsample
upsample_bilinear upsample_nearest
""",
    },
    "torch.nn.init": {
        "functions": """
calculate_gain constant constant_ dirac dirac_ eye eye_ kaiming_normal kaiming_normal_
kaiming_uniform kaiming_uniform_ normal normal_ ones_ orthogonal orthogonal_ sparse sparse_
trunc_normal_ uniform uniform_ xavier_normal xavier_normal_ xavier_uniform xavier_uniform_ zeros_
""",
    },
    "torch.nn.parallel": {
        "classes": """
DataParallel DistributedDataParallel
""",
        "functions": """
data_parallel gather parallel_apply replicate scatter
""",
        "modules": """
comm data_parallel distributed parallel_apply replicate scatter_gather
""",
    },
    "torch.nn.parameter": {
        "classes": """
Buffer Parameter UninitializedBuffer UninitializedParameter UninitializedTensorMixin
""",
        "functions": """
is_lazy
""",
    },
    "torch.nn.utils": {
        "functions": """
clip_grad_norm clip_grad_norm_ clip_grad_value_ clip_grads_with_norm_
convert_conv2d_weight_memory_format convert_conv3d_weight_memory_format fuse_conv_bn_eval
fuse_conv_bn_weights fuse_linear_bn_eval fuse_linear_bn_weights get_total_norm
parameters_to_vector remove_spectral_norm remove_weight_norm skip_init spectral_norm
vector_to_parameters weight_norm
""",
        "modules": """
clip_grad convert_parameters fusion init memory_format parametrizations parametrize prune rnn
spectral_norm stateless weight_norm
""",
    },
    "torch.nn.utils.parametrizations": {
        "functions": """
orthogonal spectral_norm weight_norm
""",
    },
    "torch.nn.utils.rnn": {
        "classes": """
PackedSequence
""",
        "functions": """
invert_permutation pack_padded_sequence pack_sequence pad_packed_sequence pad_sequence
unpack_sequence unpad_sequence
""",
    },
    "torch.optim": {
        "classes": """
ASGD Adadelta Adafactor Adagrad Adam AdamW Adamax LBFGS Muon NAdam Optimizer RAdam RMSprop Rprop
SGD SparseAdam
""",
        "functions": """
swap_in_optimizer_params_and_state
""",
        "modules": """
adadelta adagrad adam adamax adamw asgd functional lbfgs lr_scheduler nadam optimizer radam
rmsprop rprop sgd sparse_adam swa_utils
""",
    },
    "torch.optim.lr_scheduler": {
        "classes": """
ChainedScheduler ConstantLR CosineAnnealingLR CosineAnnealingWarmRestarts CyclicLR ExponentialLR
LRScheduler LambdaLR LinearLR MultiStepLR MultiplicativeLR OneCycleLR PolynomialLR
ReduceLROnPlateau SequentialLR StepLR
""",
    },
    "torch.optim.swa_utils": {
        "classes": """
AveragedModel SWALR
""",
        "functions": """
get_ema_avg_fn get_ema_multi_avg_fn get_swa_avg_fn get_swa_multi_avg_fn update_bn
""",
    },
    "torch.utils": {
        "classes": """
ThroughputBenchmark
""",
        "functions": """
generate_methods_for_privateuse1_backend get_cpp_backtrace rename_privateuse1_backend swap_tensors
""",
        "modules": """
backcompat backend_registration benchmark bundled_inputs checkpoint collect_env cpp_backtrace
cpp_extension data debug_log deterministic dlpack file_baton flop_counter hipify hooks jit mkldnn
mobile_optimizer model_dump model_zoo module_tracker serialization show_pickle tensorboard
throughput_benchmark viz weak
""",
    },
    "torch.utils.data": {
        "classes": """
BatchSampler ChainDataset ConcatDataset DFIterDataPipe DataChunk DataLoader Dataset
DistributedSampler IterDataPipe IterableDataset MapDataPipe RandomSampler Sampler
SequentialSampler StackDataset Subset SubsetRandomSampler TensorDataset WeightedRandomSampler
functional_datapipe guaranteed_datapipes_determinism non_deterministic runtime_validation_disabled
""",
        "functions": """
argument_validation default_collate default_convert get_worker_info random_split
runtime_validation
""",
        "modules": """
backward_compatibility dataloader datapipes dataset distributed graph graph_settings sampler
""",
    },
    "torch.autograd": {
        "classes": """
Function NestedIOFunction Variable detect_anomaly enable_grad enforce_grad_layout_policy
inference_mode no_grad set_detect_anomaly set_grad_enabled set_multithreading_enabled
""",
        "functions": """
backward grad gradcheck gradgradcheck variable
""",
        "modules": """
anomaly_mode forward_ad function functional grad_mode gradcheck graph profiler profiler_legacy
profiler_util variable
""",
    },
    "torch.autograd.functional": {
        "functions": """
hessian hvp jacobian jvp vhp vjp
""",
    },
    "torch.amp": {
        "classes": """
GradScaler autocast
""",
        "functions": """
custom_bwd custom_fwd is_autocast_available
""",
        "modules": """
autocast_mode grad_scaler
""",
    },
    "torch.backends": {
        "modules": """
cpu cuda cudnn cusparselt kleidiai mha miopen mkl mkldnn mps nnpack openmp opt_einsum
python_native quantized xeon xnnpack
""",
    },
    "torch.cuda": {
        "classes": """
BFloat16Storage BFloat16Tensor BoolStorage BoolTensor ByteStorage ByteTensor CUDAGraph
CUDAPluggableAllocator CharStorage CharTensor ComplexDoubleStorage ComplexFloatStorage CudaError
DeferredCudaCallError DoubleStorage DoubleTensor Event ExternalStream FloatStorage FloatTensor
GreenContext HalfStorage HalfTensor IntStorage IntTensor LongStorage LongTensor MemPool
ShortStorage ShortTensor Stream StreamContext cudaStatus device device_of graph
""",
        "functions": """
caching_allocator_alloc caching_allocator_delete caching_allocator_disabled
caching_allocator_enable can_device_access_peer change_current_allocator check_error clock_rate
cudart current_blas_handle current_device current_solver_handle current_stream default_stream
device_count device_memory_used empty_cache export_dot export_graph_data get_allocator_backend
get_arch_list get_device_capability get_device_name get_device_properties get_gencode_flags
get_per_process_memory_fraction get_rng_state get_rng_state_all get_stream_from_external
get_sync_debug_mode graph_pool_handle host_memory_stats host_memory_stats_as_nested_dict init
initial_seed ipc_collect is_available is_bf16_supported is_current_stream_capturing is_initialized
is_tf32_supported list_gpu_processes make_graphed_callables manual_seed manual_seed_all
max_memory_allocated max_memory_cached max_memory_reserved mem_get_info memory_allocated
memory_cached memory_reserved memory_snapshot memory_stats memory_stats_as_nested_dict
memory_summary memory_usage power_draw reset_accumulated_host_memory_stats
reset_accumulated_memory_stats reset_max_memory_allocated reset_max_memory_cached
reset_peak_host_memory_stats reset_peak_memory_stats seed seed_all set_device
set_per_process_memory_fraction set_rng_state set_rng_state_all set_stream set_sync_debug_mode
stream synchronize temperature use_mem_pool utilization
""",
        "modules": """
amp comm gds graph_annotations graphs green_contexts jiterator memory nccl nvtx profiler random
sparse streams tunable
""",
        "values": """
default_generators has_half has_magma
""",
    },
    "torch.distributions": {
        "classes": """
AbsTransform AffineTransform Bernoulli Beta Binomial CatTransform Categorical Cauchy Chi2
ComposeTransform ContinuousBernoulli CorrCholeskyTransform CumulativeDistributionTransform
Dirichlet Distribution ExpTransform Exponential ExponentialFamily FisherSnedecor Gamma
GeneralizedPareto Geometric Gumbel HalfCauchy HalfNormal Independent IndependentTransform
InverseGamma Kumaraswamy LKJCholesky Laplace LogNormal LogisticNormal LowRankMultivariateNormal
LowerCholeskyTransform MixtureSameFamily Multinomial MultivariateNormal NegativeBinomial Normal
OneHotCategorical OneHotCategoricalStraightThrough Pareto Poisson PositiveDefiniteTransform
PowerTransform RelaxedBernoulli RelaxedOneHotCategorical ReshapeTransform SigmoidTransform
SoftmaxTransform SoftplusTransform StackTransform StickBreakingTransform StudentT TanhTransform
Transform TransformedDistribution Uniform VonMises Weibull Wishart
""",
        "functions": """
biject_to identity_transform kl_divergence register_kl transform_to
""",
        "modules": """
bernoulli beta binomial categorical cauchy chi2 constraint_registry constraints
continuous_bernoulli dirichlet distribution exp_family exponential fishersnedecor gamma
generalized_pareto geometric gumbel half_cauchy half_normal independent inverse_gamma kl
kumaraswamy laplace lkj_cholesky log_normal logistic_normal lowrank_multivariate_normal
mixture_same_family multinomial multivariate_normal negative_binomial normal one_hot_categorical
pareto poisson relaxed_bernoulli relaxed_categorical studentT transformed_distribution transforms
uniform utils von_mises weibull wishart
""",
    },
    "torch.fft": {
        "functions": """
fft fft2 fftfreq fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn rfft
rfft2 rfftfreq rfftn
""",
    },
    "torch.hub": {
        "functions": """
download_url_to_file get_dir help list load load_state_dict_from_url set_dir
""",
    },
    "torch.jit": {
        "classes": """
Attribute CompilationUnit Error Future ONNXTracedModule RecursiveScriptClass RecursiveScriptModule
ScriptFunction ScriptModule ScriptWarning TopLevelTracedModule TracedModule TracerWarning
TracingCheckError strict_fusion
""",
        "functions": """
annotate enable_onednn_fusion export export_opnames fork freeze fuser ignore interface
is_scripting is_tracing isinstance jit_module_from_flatbuffer last_executed_optimized_graph load
onednn_fusion_enabled optimize_for_inference optimized_execution run_frozen_optimizations save
save_jit_module_to_flatbuffer script script_if_tracing script_method set_fusion_strategy trace
trace_module unused wait
""",
        "modules": """
annotations frontend generate_bytecode mobile quantized supported_ops unsupported_tensor_ops
""",
    },
    "torch.linalg": {
        "classes": """
LinAlgError
""",
        "functions": """
cholesky cholesky_ex cond cross det diagonal eig eigh eigvals eigvalsh householder_product inv
inv_ex ldl_factor ldl_factor_ex ldl_solve lstsq lu lu_factor lu_factor_ex lu_solve matmul
matrix_exp matrix_norm matrix_power matrix_rank matrix_sqrth multi_dot norm pinv polar qr slogdet
solve solve_ex solve_triangular svd svdvals tensorinv tensorsolve vander vecdot vector_norm
""",
    },
    "torch.multiprocessing": {
        "classes": """
AuthenticationError BufferTooShort Process ProcessError TimeoutError
""",
        "functions": """
Array Barrier BoundedSemaphore Condition Event JoinableQueue Lock Manager Pipe Pool Queue RLock
RawArray RawValue Semaphore SimpleQueue Value active_children allow_connection_pickling cpu_count
current_process freeze_support get_all_sharing_strategies get_all_start_methods get_context
get_logger get_sharing_strategy get_start_method log_to_stderr parent_process set_executable
set_forkserver_preload set_sharing_strategy set_start_method
""",
        "modules": """
pool queue reducer reductions spawn
""",
    },
    "torch.profiler": {
        "classes": """
CuspyConfig DeviceType ExecutionTraceObserver PerformanceMetricsConfig ProfilerAction
ProfilerActivity ProfilerActivityConfig profile record_function
""",
        "functions": """
kineto_available schedule supported_activities tensorboard_trace_handler
""",
        "modules": """
itt profiler python_tracer
""",
    },
    "torch.random": {
        "functions": """
fork_rng get_rng_state initial_seed manual_seed seed set_rng_state thread_safe_generator
""",
    },
    "torch.serialization": {
        "classes": """
LoadEndianness SourceChangeWarning StorageType safe_globals set_default_mmap_options skip_data
""",
        "functions": """
add_safe_globals check_module_version_greater_or_equal clear_safe_globals default_restore_location
get_crc32_options get_default_load_endianness get_default_mmap_options get_safe_globals
get_unsafe_globals_in_checkpoint load location_tag mkdtemp normalize_storage_type register_package
save set_crc32_options set_default_load_endianness storage_to_tensor_type validate_cuda_device
validate_hpu_device
""",
    },
    "torch.sparse": {
        "classes": """
SparseSemiStructuredTensor SparseSemiStructuredTensorCUSPARSELT SparseSemiStructuredTensorCUTLASS
check_sparse_tensor_invariants
""",
        "functions": """
addmm as_sparse_gradcheck log_softmax mm softmax sum to_sparse_semi_structured
""",
        "modules": """
semi_structured
""",
    },
    "torch.special": {
        "functions": """
airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 chebyshev_polynomial_t chebyshev_polynomial_u
chebyshev_polynomial_v chebyshev_polynomial_w digamma entr erf erfc erfcx erfinv exp2 expit expm1
gammainc gammaincc gammaln hermite_polynomial_h hermite_polynomial_he i0 i0e i1 i1e
laguerre_polynomial_l legendre_polynomial_p log1p log_ndtr log_softmax logit logsumexp
modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 modified_bessel_k1 multigammaln ndtr
ndtri polygamma psi round scaled_modified_bessel_k0 scaled_modified_bessel_k1
shifted_chebyshev_polynomial_t shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v
shifted_chebyshev_polynomial_w sinc softmax spherical_bessel_j0 xlog1py xlogy zeta
""",
    },
    "torch.testing": {
        "classes": """
FileCheck
""",
        "functions": """
assert_allclose assert_close make_tensor
""",
    },
    "torch.version": {
        "values": """
cuda debug git_version hip rocm xpu
""",
    },
    "torchvision": {
        "functions": """
disable_beta_transforms_warning get_image_backend get_video_backend set_image_backend
set_video_backend
""",
        "modules": """
datasets extension image_stable io models ops transforms tv_tensors utils version
""",
    },
    "torchvision.datasets": {
        "classes": """
CIFAR10 CIFAR100 CLEVRClassification CREStereo Caltech101 Caltech256 CarlaStereo CelebA Cityscapes
CocoCaptions CocoDetection Country211 DTD DatasetFolder EMNIST ETH3DStereo EuroSAT FER2013
FGVCAircraft FakeData FallingThingsStereo FashionMNIST Flickr30k Flickr8k Flowers102 FlyingChairs
FlyingThings3D Food101 GTSRB HD1K HMDB51 INaturalist ImageFolder ImageNet Imagenette InStereo2k
KMNIST Kinetics Kitti Kitti2012Stereo Kitti2015Stereo KittiFlow LFWPairs LFWPeople LSUN LSUNClass
MNIST Middlebury2014Stereo MovingMNIST Omniglot OxfordIIITPet PCAM PhotoTour Places365 QMNIST
RenderedSST2 SBDataset SBU SEMEION STL10 SUN397 SVHN SceneFlowStereo Sintel SintelStereo
StanfordCars UCF101 USPS VOCDetection VOCSegmentation VisionDataset WIDERFace
""",
        "modules": """
caltech celeba cifar cityscapes clevr coco country211 dtd eurosat fakedata fer2013 fgvc_aircraft
flickr flowers102 folder food101 gtsrb hmdb51 imagenet imagenette inaturalist kinetics kitti lfw
lsun mnist moving_mnist omniglot oxford_iiit_pet pcam phototour places365 rendered_sst2 samplers
sbd sbu semeion stanford_cars stl10 sun397 svhn ucf101 usps utils video_utils vision voc widerface
""",
    },
    "torchvision.io": {
        "classes": """
ImageReadMode
""",
        "functions": """
decode_avif decode_gif decode_heic decode_image decode_jpeg decode_png decode_webp encode_jpeg
encode_png read_file read_image write_file write_jpeg write_png
""",
        "modules": """
image video
""",
    },
    "torchvision.models": {
        "classes": """
AlexNet AlexNet_Weights ConvNeXt ConvNeXt_Base_Weights ConvNeXt_Large_Weights
ConvNeXt_Small_Weights ConvNeXt_Tiny_Weights DenseNet DenseNet121_Weights DenseNet161_Weights
DenseNet169_Weights DenseNet201_Weights EfficientNet EfficientNet_B0_Weights
EfficientNet_B1_Weights EfficientNet_B2_Weights EfficientNet_B3_Weights EfficientNet_B4_Weights
EfficientNet_B5_Weights EfficientNet_B6_Weights EfficientNet_B7_Weights EfficientNet_V2_L_Weights
EfficientNet_V2_M_Weights EfficientNet_V2_S_Weights GoogLeNet GoogLeNetOutputs GoogLeNet_Weights
Inception3 InceptionOutputs Inception_V3_Weights MNASNet MNASNet0_5_Weights MNASNet0_75_Weights
MNASNet1_0_Weights MNASNet1_3_Weights MaxVit MaxVit_T_Weights MobileNetV2 MobileNetV3
MobileNet_V2_Weights MobileNet_V3_Large_Weights MobileNet_V3_Small_Weights RegNet
RegNet_X_16GF_Weights RegNet_X_1_6GF_Weights RegNet_X_32GF_Weights RegNet_X_3_2GF_Weights
RegNet_X_400MF_Weights RegNet_X_800MF_Weights RegNet_X_8GF_Weights RegNet_Y_128GF_Weights
RegNet_Y_16GF_Weights RegNet_Y_1_6GF_Weights RegNet_Y_32GF_Weights RegNet_Y_3_2GF_Weights
RegNet_Y_400MF_Weights RegNet_Y_800MF_Weights RegNet_Y_8GF_Weights ResNeXt101_32X8D_Weights
ResNeXt101_64X4D_Weights ResNeXt50_32X4D_Weights ResNet ResNet101_Weights ResNet152_Weights
ResNet18_Weights ResNet34_Weights ResNet50_Weights ShuffleNetV2 ShuffleNet_V2_X0_5_Weights
ShuffleNet_V2_X1_0_Weights ShuffleNet_V2_X1_5_Weights ShuffleNet_V2_X2_0_Weights SqueezeNet
SqueezeNet1_0_Weights SqueezeNet1_1_Weights SwinTransformer Swin_B_Weights Swin_S_Weights
Swin_T_Weights Swin_V2_B_Weights Swin_V2_S_Weights Swin_V2_T_Weights VGG VGG11_BN_Weights
VGG11_Weights VGG13_BN_Weights VGG13_Weights VGG16_BN_Weights VGG16_Weights VGG19_BN_Weights
VGG19_Weights ViT_B_16_Weights ViT_B_32_Weights ViT_H_14_Weights ViT_L_16_Weights ViT_L_32_Weights
VisionTransformer Weights WeightsEnum Wide_ResNet101_2_Weights Wide_ResNet50_2_Weights
""",
        "functions": """
alexnet convnext_base convnext_large convnext_small convnext_tiny densenet121 densenet161
densenet169 densenet201 efficientnet_b0 efficientnet_b1 efficientnet_b2 efficientnet_b3
efficientnet_b4 efficientnet_b5 efficientnet_b6 efficientnet_b7 efficientnet_v2_l
efficientnet_v2_m efficientnet_v2_s get_model get_model_builder get_model_weights get_weight
googlenet inception_v3 list_models maxvit_t mnasnet0_5 mnasnet0_75 mnasnet1_0 mnasnet1_3
mobilenet_v2 mobilenet_v3_large mobilenet_v3_small regnet_x_16gf regnet_x_1_6gf regnet_x_32gf
regnet_x_3_2gf regnet_x_400mf regnet_x_800mf regnet_x_8gf regnet_y_128gf regnet_y_16gf
regnet_y_1_6gf regnet_y_32gf regnet_y_3_2gf regnet_y_400mf regnet_y_800mf regnet_y_8gf resnet101
resnet152 resnet18 resnet34 resnet50 resnext101_32x8d resnext101_64x4d resnext50_32x4d
shufflenet_v2_x0_5 shufflenet_v2_x1_0 shufflenet_v2_x1_5 shufflenet_v2_x2_0 squeezenet1_0
squeezenet1_1 swin_b swin_s swin_t swin_v2_b swin_v2_s swin_v2_t vgg11 vgg11_bn vgg13 vgg13_bn
vgg16 vgg16_bn vgg19 vgg19_bn vit_b_16 vit_b_32 vit_h_14 vit_l_16 vit_l_32 wide_resnet101_2
wide_resnet50_2
""",
        "modules": """
alexnet convnext densenet detection efficientnet feature_extraction googlenet inception maxvit
mnasnet mobilenet mobilenetv2 mobilenetv3 optical_flow quantization regnet resnet segmentation
shufflenetv2 squeezenet swin_transformer vgg video vision_transformer
""",
    },
    "torchvision.ops": {
        "classes": """
Conv2dNormActivation Conv3dNormActivation DeformConv2d DropBlock2d DropBlock3d
FeaturePyramidNetwork FrozenBatchNorm2d MLP MultiScaleRoIAlign PSRoIAlign PSRoIPool Permute
RoIAlign RoIPool SqueezeExcitation StochasticDepth
""",
        "functions": """
batched_nms box_area box_convert box_iou clip_boxes_to_image complete_box_iou
complete_box_iou_loss deform_conv2d distance_box_iou distance_box_iou_loss drop_block2d
drop_block3d generalized_box_iou generalized_box_iou_loss masks_to_boxes nms ps_roi_align
ps_roi_pool remove_small_boxes roi_align roi_pool sigmoid_focal_loss stochastic_depth
""",
        "modules": """
boxes ciou_loss deform_conv diou_loss drop_block feature_pyramid_network focal_loss giou_loss misc
poolers ps_roi_align ps_roi_pool roi_align roi_pool stochastic_depth
""",
    },
    "torchvision.transforms": {
        "classes": """
AugMix AutoAugment AutoAugmentPolicy CenterCrop ColorJitter Compose ConvertImageDtype
ElasticTransform FiveCrop GaussianBlur Grayscale InterpolationMode Lambda LinearTransformation
Normalize PILToTensor Pad RandAugment RandomAdjustSharpness RandomAffine RandomApply
RandomAutocontrast RandomChoice RandomCrop RandomEqualize RandomErasing RandomGrayscale
RandomHorizontalFlip RandomInvert RandomOrder RandomPerspective RandomPosterize RandomResizedCrop
RandomRotation RandomSolarize RandomVerticalFlip Resize TenCrop ToPILImage ToTensor
TrivialAugmentWide
""",
        "modules": """
autoaugment functional transforms v2
""",
    },
    "torchvision.transforms.functional": {
        "classes": """
InterpolationMode
""",
        "functions": """
adjust_brightness adjust_contrast adjust_gamma adjust_hue adjust_saturation adjust_sharpness
affine autocontrast center_crop convert_image_dtype crop elastic_transform equalize erase
five_crop gaussian_blur get_dimensions get_image_num_channels get_image_size hflip invert
normalize pad perspective pil_to_tensor posterize resize resized_crop rgb_to_grayscale rotate
solarize ten_crop to_grayscale to_pil_image to_tensor vflip
""",
    },
    "torchvision.utils": {
        "functions": """
draw_bounding_boxes draw_keypoints draw_segmentation_masks flow_to_image make_grid save_image
""",
    },
}
